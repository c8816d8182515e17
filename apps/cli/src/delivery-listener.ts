import { setTimeout as pause } from 'node:timers/promises';
import { appendQuery } from '#libs/platform/text/query-text';
import { ApiError, ConnectionError, type Holdfast, type Schemas } from '#libs/sdk/src/holdfast';

type Delivery = Schemas['DeliveryView'];

/** What became of a delivery at the local address. */
export interface ForwardedDelivery extends Pick<Delivery, 'id' | 'verdict' | 'receivedAt' | 'executionId'> {
  /** The status of the answer; null when there was none. */
  status: number | null;
  /** Why there was no answer; null when there was one. */
  failure: string | null;
  tookMs: number;
}

export interface Listening {
  client: Holdfast;
  workflowId: string;
  triggerId: string;
  to: URL;
  /** Called when it knows what came before. Whatever comes later is forwarded. */
  onReady: () => void;
  /** Called once each time the connection is lost. */
  onLost: (reason: string) => void;
}

const everyMs = 1000;
const everyMsMax = 15_000;
/** A delivery may be seen this much later than one that came after it, because each is committed on its own. */
const slackMs = 30_000;
const answerMsMax = 30_000;
/** One look reads so many deliveries. */
const readMax = 10_000;

/** Headers that belong to a connection or that the request to the local address makes itself. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Forwards the deliveries that come to a trigger from now on, each once and in the order of their arrival. It asks the API again and
 * again, so it needs no address of its own, and a lost connection only delays it.
 */
export async function* forwardDeliveries(listening: Listening): AsyncGenerator<ForwardedDelivery> {
  const seen = new Map<string, string>();
  let from: string | undefined;
  let waitMs = everyMs;
  let looks = 0;
  for (;;) {
    try {
      for (const one of await readSince(listening, { from, isFirst: looks === 0 })) {
        if (seen.has(one.id)) continue;
        // The first look finds the newest one, and the second all that may be seen beside it.
        const isFormer = looks < 2;
        const forwarded = isFormer || one.verdict === 'forged' ? null : await forward(listening, one);
        seen.set(one.id, one.receivedAt);
        if (forwarded) yield forwarded;
      }
      from = forgetOlder(seen) ?? from;
      waitMs = everyMs;
      looks += 1;
      if (looks === 2) listening.onReady();
      if (looks < 2) continue;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (waitMs === everyMs) listening.onLost(error.message);
      waitMs = Math.min(waitMs * 2, everyMsMax);
    }
    await pause(waitMs);
  }
}

/** Reads deliveries from a time on, the oldest first. The first look reads the newest alone, after which new ones come. */
async function readSince(
  { client, workflowId, triggerId }: Listening,
  { from, isFirst }: { from: string | undefined; isFirst: boolean },
): Promise<Delivery[]> {
  const filters = { limit: 100, ...(from === undefined ? {} : { from }) };
  const found = client.triggers.deliveries.list(workflowId, triggerId, filters);
  return (await found.toArray(isFirst ? 1 : readMax)).toReversed();
}

/** Forgets what is older than any delivery that may still be seen late. Returns the time from which to read. */
function forgetOlder(seen: Map<string, string>): string | undefined {
  const newest = [...seen.values()].toSorted().at(-1);
  if (newest === undefined) return undefined;
  const from = new Date(Date.parse(newest) - slackMs).toISOString();
  for (const [id, receivedAt] of seen) if (receivedAt < from) seen.delete(id);
  return from;
}

/** Sends a delivery to the local address as it came: its headers, its query and its body. Masked headers are left out. */
async function forward(
  { client, workflowId, triggerId, to }: Listening,
  { id, verdict, receivedAt, executionId }: Delivery,
): Promise<ForwardedDelivery> {
  const delivery = await client.triggers.deliveries.get(workflowId, triggerId, id);
  const pairs = Object.entries(delivery.query).flatMap(([name, value]) =>
    [value].flat().map((text): [string, string] => [name, String(text)]),
  );
  const headers = new Headers({ 'holdfast-delivery-id': id, 'holdfast-verdict': verdict });
  for (const [name, value] of Object.entries(delivery.headers))
    if (!ownHeaders.has(name) && value !== '***') headers.set(name, String(value));
  if (delivery.contentType !== null) headers.set('content-type', delivery.contentType);
  const begunMs = performance.now();
  const about = { id, verdict, receivedAt, executionId };
  const toEnd = () => ({ tookMs: Math.round(performance.now() - begunMs) });
  try {
    const signal = AbortSignal.timeout(answerMsMax);
    const answer = await fetch(appendQuery(to.href, pairs), {
      method: 'POST',
      headers,
      body: delivery.body,
      redirect: 'manual',
      signal,
    });
    await answer.body?.cancel();
    return { ...about, status: answer.status, failure: null, ...toEnd() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const failure = cause instanceof Error ? cause.message : String(cause);
    return { ...about, status: null, failure, ...toEnd() };
  }
}

/** True for a failure after which the same call may succeed. */
const isPassing = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500));
