import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import type { DeliveryRow } from '#libs/runs/executions/accept/accept.sql';
import {
  ExecutionAcceptor,
  type FirstDelivery,
  type Store,
} from '#libs/runs/executions/accept/accept-execution';
import { ApiError, Conflict, Invalid, Unauthenticated } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { Settings } from '#libs/platform/settings/settings';
import { cutText, screenJson, screenText } from '#libs/platform/text/whole-text';
import { Deliveries } from '#libs/triggers/deliveries';
import {
  buildEventInputs,
  buildScheduleInputs,
  passesFilter,
  type ScheduleEvent,
  type TriggerEvent,
} from '#libs/triggers/event-inputs';
import { newDelivery } from '#libs/triggers/new-delivery';
import { toStarter } from '#libs/triggers/principal';
import type {
  ScheduleSettings,
  Trigger,
  TriggerDelivery,
  WebhookSettings,
} from '#libs/triggers/trigger.entity';
import { type RefusedVerdict, requireOpen, toVerdict } from '#libs/triggers/verdict';
import { type CalledTrigger, CalledTriggers, type CalledWebhook } from '#libs/triggers/called-triggers';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { follow } from '#libs/language/definition/expressions/expressions';
import { getScheme, type HmacSettings, verify } from '#libs/triggers/webhooks/schemes';
import { type Starter, TriggerChanged } from '#libs/runs/executions/accept/start-execution';
import { Execute, type Executed } from '../executions/execute.ts';
import type { ExecuteCall } from '../executions/parse-execute-request.ts';
import type { KeyedCall } from '../http/answer.ts';
import { parseTime } from '../http/parse-time.ts';
import { PublicRateLimiter } from '../http/public-rate-limiter.ts';
import { decodeText } from '../http/form-body.ts';
import { isMultipart, parseHookBody } from './hook-body.ts';

/** A call to the address of a trigger. */
export interface HookRequest {
  token: string;
  /** The path and the query, as they came. */
  path: string;
  headers: Record<string, string>;
  query: Record<string, string | string[]>;
  body: Buffer;
  contentType: string | null;
}

/** What became of a call: an execution, or a reason why there is none. */
export type HookOutcome =
  | {
      kind: 'executed';
      executed: Omit<Executed, 'limitStatus'>;
      deliveryId: string;
      isRepeated: boolean;
      respond: 'accepted' | 'result';
    }
  | { kind: 'filtered'; deliveryId: string }
  | { kind: 'challenge'; challenge: string };

/** How a delivery is answered, and what else is committed with its execution. */
export interface Taking {
  trigger: 'webhook' | 'form';
  respond: 'accepted' | 'result';
  waitSeconds: number;
  /** The id of the execution, if the caller needs it before. */
  executionId?: string;
  store?: Store;
  /** The body that the log keeps of what starts nothing, when `store` would have stored a part of it. */
  unstored?: string;
}

/** The id of an execution that a person starts, and whether an earlier call may have started it. */
type Once = Pick<KeyedCall, 'id' | 'isRetry'>;

/** What a person starts: a delivery, and the filter that it has to pass. */
interface ByHand {
  once: Once;
  made: Pick<DeliveryRow, 'source' | 'headers' | 'query' | 'body' | 'content_type'> & Partial<DeliveryRow>;
  body: Json;
  filter: string | null;
}

const noHmac: HmacSettings = {
  header: '',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: '',
  timestampHeader: null,
  toleranceSeconds: 0,
};

/** Headers that no log shows, whatever the scheme. */
const masked = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);
const mask = '***';
const senderIdMax = 300;
/** A trigger that changes while a delivery is taken is read anew this often. */
const triesMax = 5;

/** Takes deliveries for triggers. Each starts one execution, or is logged with the reason why it does not. */
@Injectable()
export class Hooks {
  /** Forged calls of one trigger that are logged in a minute. */
  private readonly forged: PublicRateLimiter;

  constructor(
    private readonly called: CalledTriggers,
    private readonly deliveries: Deliveries,
    private readonly execute: Execute,
    private readonly acceptor: ExecutionAcceptor,
    private readonly settings: Settings,
  ) {
    this.forged = new PublicRateLimiter(settings.publicCallsPerMinute);
  }

  /** Takes a call of a sender. Throws the refusal with which the sender is answered. */
  async receive(request: HookRequest, tries = 1): Promise<HookOutcome> {
    const trigger = await this.called.findWebhook(request.token);
    const delivery = this.toDelivery(trigger, request);
    const parsed = await parseHookBody(request.body, request.contentType).catch((error: unknown) =>
      toRefusal(error),
    );
    const body = parsed instanceof ApiError ? null : parsed;
    // A file is no text, so the log keeps what was read of such a form.
    if (body !== null && isMultipart(request.contentType))
      Object.assign(delivery, { body: toStoredJson(body), content_type: 'application/json' });
    const url = this.settings.publicUrl + request.path;
    const call = { headers: request.headers, url, body: request.body, parsed: body };
    const { scheme, hmac } = trigger.webhook;
    const given = { hmac: hmac ?? noHmac, nowMs: readClockMs() };
    const distrust = verify(scheme, call, trigger.secrets, given);
    if (distrust !== null) return this.refuseForged(trigger, delivery, distrust);
    const challenge =
      scheme === 'slack' && isObject(body) && body['type'] === 'url_verification' ? body['challenge'] : null;
    if (typeof challenge === 'string') return { kind: 'challenge', challenge };
    this.identify(trigger, delivery, request, body);
    const { respond, waitSeconds } = trigger.webhook;
    const taken = await this.take(trigger, delivery, parsed, { trigger: 'webhook', respond, waitSeconds });
    if (taken) return taken;
    if (tries >= triesMax) throw new TriggerChanged();
    return this.receive(request, tries + 1);
  }

  /**
   * Starts an execution for what somebody has sent, once. Logs what starts nothing, and throws the reason. Null when the trigger has
   * changed since it was read; it is read anew then.
   */
  async take(
    trigger: CalledTrigger,
    delivery: DeliveryRow,
    body: Json | ApiError,
    taking: Taking,
  ): Promise<HookOutcome | null> {
    const unstarted = { ...delivery, body: taking.unstored ?? delivery.body };
    try {
      requireOpen(trigger);
      if (body instanceof ApiError) throw body;
      const event = toEvent(delivery, body);
      if (!passesFilter(trigger.filter, event)) {
        await this.log(trigger, unstarted, 'filtered', null);
        return { kind: 'filtered', deliveryId: delivery.id };
      }
      return await this.start(trigger, delivery, event, taking);
    } catch (error) {
      if (error instanceof TriggerChanged) {
        await this.called.forget();
        return null;
      }
      // A repetition begins nothing, so no state of the trigger and no limit refuses it.
      const first =
        error instanceof ApiError && (await this.acceptor.findFirst(trigger.workspaceId, delivery));
      return first ? answerRepeated(first, taking.respond) : this.refuse(trigger, unstarted, error);
    }
  }

  /** Starts an execution for a person, as a delivery with this body would: no proof is needed, and the filter is not asked. */
  async test(
    starter: Starter,
    trigger: Trigger,
    once: Once,
    given: { body: Json; headers: Record<string, string>; query: Record<string, string | string[]> },
  ): Promise<FirstDelivery> {
    const headers = Object.entries(given.headers).map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    );
    const made = {
      headers: maskHeaders(trigger.webhook, headers),
      query: given.query,
      body: given.body === null ? '' : JSON.stringify(given.body),
      content_type: 'application/json',
      source: 'test' as const,
    };
    return this.startByHand(starter, trigger, { once, made, body: given.body, filter: null });
  }

  /**
   * Starts an execution from an earlier delivery, on the live version and with the template of now. The first execution of what a sender has
   * sent gets the sender's id, so that a repetition by the sender starts no other. Returns the ids.
   */
  async replay(
    starter: Starter,
    trigger: Trigger,
    once: Once,
    earlier: TriggerDelivery,
  ): Promise<FirstDelivery> {
    if (earlier.verdict === 'accepted')
      return this.replayAs(starter, trigger, earlier, { once, eventId: null, filter: null });
    const { id, first } = await this.deliveries.findEvent(trigger, earlier);
    return this.replayAs(starter, trigger, earlier, { once, eventId: first ? null : id, filter: null });
  }

  /**
   * Like `replay`, for a delivery of a query: nothing starts when what was sent has started an execution already. A delivery that was
   * refused before the filter was asked, as by a pause, is asked it now.
   */
  async replayOnce(starter: Starter, trigger: Trigger, earlier: TriggerDelivery): Promise<FirstDelivery> {
    const { id, first } = await this.deliveries.findEvent(trigger, earlier);
    const once = { id: newId('exec'), isRetry: false };
    const filter = earlier.verdict === 'filtered' ? null : trigger.filter;
    return first ?? this.replayAs(starter, trigger, earlier, { once, eventId: id, filter });
  }

  private async replayAs(
    starter: Starter,
    trigger: Trigger,
    earlier: TriggerDelivery,
    { once, eventId, filter }: { once: Once; eventId: string | null; filter: string | null },
  ): Promise<FirstDelivery> {
    const { headers, query, body, contentType, id } = earlier;
    const parsed = await parseHookBody(Buffer.from(body), contentType);
    const made = {
      source: 'replay' as const,
      headers,
      query,
      body,
      content_type: contentType,
      replay_of: id,
      sender_id: eventId,
      content_hash: eventId === null ? null : earlier.contentHash,
    };
    return this.startByHand(starter, trigger, { once, made, body: parsed, filter });
  }

  private async startByHand(
    starter: Starter,
    trigger: Trigger,
    { once, made, body, filter }: ByHand,
  ): Promise<FirstDelivery> {
    const delivery = newDelivery(trigger.id, made);
    const moment = trigger.schedule && toScheduleEvent(trigger.schedule, body);
    try {
      const event = toEvent(delivery, body);
      if (!passesFilter(filter, event))
        throw new Conflict('The filter of the trigger leaves this delivery out.', 'FILTERED');
      const inputs = moment
        ? buildScheduleInputs(trigger.inputs, moment)
        : buildEventInputs(trigger.inputs, event);
      const call: ExecuteCall = { ...asyncCall, trigger: trigger.kind, inputs, delivery };
      const { id, first } = await this.execute.executeWorkflow(starter, trigger.workflowId, once, call);
      // An earlier call with the same key may have started it, with a delivery of its own.
      const earlier = once.isRetry
        ? await this.deliveries.findId(starter.workspaceId, trigger.id, once.id)
        : first?.deliveryId;
      return { deliveryId: earlier ?? delivery.id, executionId: id };
    } catch (error) {
      return this.refuse(trigger, delivery, error);
    }
  }

  private async start(
    trigger: CalledTrigger,
    delivery: DeliveryRow,
    event: TriggerEvent,
    { trigger: kind, respond, waitSeconds, executionId = newId('exec'), store }: Taking,
  ): Promise<HookOutcome> {
    const { workflowId } = trigger;
    const inputs = buildEventInputs(trigger.inputs, event);
    const waits = respond === 'result' ? { mode: 'sync' as const, waitMs: waitSeconds * 1000 } : {};
    const call: ExecuteCall = { ...asyncCall, ...waits, trigger: kind, inputs, delivery, store };
    const once = { id: executionId, isRetry: false };
    const executed = await this.execute.executeWorkflow(toStarter(trigger), workflowId, once, call);
    const deliveryId = executed.first?.deliveryId ?? delivery.id;
    return { kind: 'executed', executed, deliveryId, isRepeated: executed.first !== undefined, respond };
  }

  private toDelivery(
    trigger: CalledWebhook,
    { headers, query, body, contentType }: HookRequest,
  ): DeliveryRow {
    return newDelivery(trigger.id, {
      revision: trigger.revision,
      headers: maskHeaders(trigger.webhook, Object.entries(headers)),
      query: objectOf(screenJson(query)),
      body: readText(body),
      content_type: contentType,
    });
  }

  /** Gives the delivery the id by which a repetition is known: the sender's, or a hash of what was sent. */
  private identify(trigger: CalledWebhook, delivery: DeliveryRow, request: HookRequest, body: Json): void {
    const { scheme, deliveryIdHeader, deliveryIdPath, repeatSeconds } = trigger.webhook;
    const { ids, idPath } = getScheme(scheme);
    const names = deliveryIdHeader === null ? ids : [deliveryIdHeader.toLowerCase()];
    const path = deliveryIdPath ?? (deliveryIdHeader === null ? idPath : undefined);
    const inBody = path && isObject(body) ? follow(body, path.split('.')) : null;
    const inHeader = names.map((name) => request.headers[name]).find(Boolean);
    const id =
      inHeader ?? (typeof inBody === 'string' || typeof inBody === 'number' ? String(inBody) : undefined);
    if (id !== undefined && id !== '') delivery.sender_id = toSenderId(id);
    else if (repeatSeconds > 0) {
      // A multipart body is never the same twice, because its boundary is made anew.
      const sent = isMultipart(request.contentType) && body !== null ? delivery.body : request.body;
      const hash = createHash('sha256').update(JSON.stringify(delivery.query)).update('\0').update(sent);
      delivery.content_hash = hash.digest('base64url');
      delivery.repeat_seconds = repeatSeconds;
    }
  }

  private async refuseForged(trigger: CalledTrigger, delivery: DeliveryRow, reason: string): Promise<never> {
    this.forged.countRequest(trigger.id, performance.now());
    const error = { code: 'SIGNATURE_INVALID', message: reason };
    await this.log(trigger, delivery, 'forged', error);
    throw new Unauthenticated(reason, error.code);
  }

  /** Logs a delivery that starts nothing, and throws the reason. A fault of ours is not logged: the sender sends the call again. */
  private async refuse(
    trigger: Pick<Trigger, 'id' | 'workspaceId'>,
    delivery: DeliveryRow,
    thrown: unknown,
  ): Promise<never> {
    const verdict = toVerdict(thrown);
    if (verdict === null || !(thrown instanceof ApiError)) throw thrown;
    await this.log(trigger, delivery, verdict, { code: thrown.code, message: thrown.message });
    // The sender's call is right; the state of the workflow does not allow it.
    if (verdict === 'undeployed') throw new Conflict(thrown.message, thrown.code);
    throw thrown;
  }

  log(
    { workspaceId }: Pick<Trigger, 'workspaceId'>,
    delivery: DeliveryRow,
    verdict: RefusedVerdict,
    error: { code: string; message: string } | null,
  ): Promise<void> {
    return this.deliveries.logRefused({ workspaceId, delivery, verdict, error });
  }
}

/** Returns headers as they are kept and as templates read them: without what proves the sender, and without credentials. */
function maskHeaders(webhook: WebhookSettings | null, headers: (readonly [string, unknown])[]): JsonObject {
  const proof = new Set(
    webhook ? [...getScheme(webhook.scheme).proof, webhook.hmac?.header.toLowerCase()] : [],
  );
  const shown = headers.map(([name, value]) => [name, proof.has(name) || masked.has(name) ? mask : value]);
  return objectOf(screenJson(Object.fromEntries(shown)));
}

/** A sender's id as it is kept. A long one ends with its hash, because two ids may begin with the same characters. */
function toSenderId(id: string): string {
  if (id.length <= senderIdMax) return screenText(id);
  const hash = createHash('sha256').update(id).digest('base64url');
  return `${screenText(cutText(id, senderIdMax - hash.length - 1))}…${hash}`;
}

function answerRepeated(first: FirstDelivery, respond: 'accepted' | 'result'): HookOutcome {
  const executed = { id: first.executionId, status: 202 as const, body: {}, first };
  return { kind: 'executed', executed, deliveryId: first.deliveryId, isRepeated: true, respond };
}

const asyncCall: Omit<ExecuteCall, 'inputs'> = {
  trigger: 'webhook',
  mode: 'async',
  waitMs: null,
  streams: false,
  raw: false,
  wantsSpans: false,
  activeMsMax: null,
};

/** The text of a body, or nothing for bytes that are no text: the delivery is refused then, and the log says why. */
function readText(body: Buffer): string {
  try {
    return decodeText(body);
  } catch {
    return '';
  }
}

function toRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** The event of a moment: that of a replayed delivery, or now. */
function toScheduleEvent({ timezone }: ScheduleSettings, body: Json): ScheduleEvent {
  const startedAt = new Date(readClockMs()).toISOString();
  const said = isObject(body) ? body['scheduledAt'] : undefined;
  if (said !== undefined && typeof said !== 'string')
    throw Invalid.field('body.scheduledAt', 'must be a time, as 2026-01-31T08:00:00Z', 'type');
  const scheduledAt = parseTime({ 'body.scheduledAt': said }, 'body.scheduledAt')?.toISOString() ?? startedAt;
  return { scheduledAt, startedAt, timezone };
}

function toEvent({ id, headers, query }: DeliveryRow, body: Json): TriggerEvent {
  const receivedAt = new Date(readClockMs()).toISOString();
  return { id, body, headers: headers as JsonObject, query: query as JsonObject, receivedAt };
}
