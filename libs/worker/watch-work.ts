import { gauge } from '#libs/platform/telemetry/metrics/metrics';
import type { TemporalClient } from '#libs/platform/temporal-client/temporal-client';

interface WaitingCount {
  count: number;
  oldestS: number;
}

type Ask = () => Promise<WaitingCount>;

/** Gauges for committed work that Temporal, or a receiver of events, does not have yet. */
export function watchOutboxes(asks: Record<string, Ask>): void {
  watch('outbox', 'Committed work that is not handed on yet, counted to 10000.', 'kind', asks);
}

/** Gauges for the tasks that wait in each queue, as Temporal estimates them. */
export function watchQueues(temporal: TemporalClient, workflows: string, activities: string[]): void {
  const ofActivities = activities.map((queue): [string, Ask] => [
    queue,
    () => temporal.backlog(queue, 'activity'),
  ]);
  const asks = {
    [workflows]: () => temporal.backlog(workflows, 'workflow'),
    ...Object.fromEntries(ofActivities),
  };
  watch('queue', 'Tasks that wait for a worker.', 'queue', asks);
}

/** Two gauges from one answer. A failed question gives no value, because zero would look like an empty queue. */
function watch(name: string, help: string, label: string, asks: Record<string, Ask>): void {
  const answers = together(async () => {
    const all = Object.entries(asks).map(async ([value, ask]) => ({
      value,
      waiting: await ask().catch(() => null),
    }));
    return (await Promise.all(all)).flatMap(({ value, waiting }) => (waiting ? [{ value, ...waiting }] : []));
  });
  gauge(`${name}_pending`, help, [label], async (metric) => {
    metric.reset();
    for (const { value, count } of await answers()) metric.set({ [label]: value }, count);
  });
  gauge(`${name}_oldest_age_seconds`, 'Age of the oldest of these.', [label], async (metric) => {
    metric.reset();
    for (const { value, oldestS } of await answers()) metric.set({ [label]: value }, oldestS);
  });
}

/** Callers during a check share its answer. */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null;
  return () => (pending ??= ask().finally(() => (pending = null)));
}
