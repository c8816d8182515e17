import { type Measured, summarise, type Summary } from './figures.ts';

/** A thing whose runs are timed. */
export interface Subject {
  name: string;
  /** Prepares what `runs` runs will use up; not timed. */
  prepare?(runs: number): Promise<void>;
  /** Resolves when all work of its runs is done, so that it does not slow the next subject; not timed. */
  settle?(): Promise<void>;
  /** One run from the caller's view. Rejects when its answer is wrong. */
  once(): Promise<void>;
}

export interface RoundPlan {
  rounds: number;
  /** Runs of each subject in one round. */
  runs: number;
  clients: number;
  warmUp: number;
  say(line: string): void;
}

/**
 * Times the subjects in alternating rounds. Each is a closed loop: a client sends its next run after the last answer. A
 * machine that gets slower or faster affects all subjects alike.
 */
export async function measure(subjects: Subject[], plan: RoundPlan): Promise<Map<string, Summary>> {
  const measured = new Map<string, Measured>(
    subjects.map(({ name }) => [name, { durationsMs: [], wallMs: 0 }]),
  );
  for (const subject of subjects) {
    await loop(subject, plan.warmUp, plan.clients);
    await subject.settle?.();
  }
  for (let turn = 0; turn < plan.rounds; turn++) {
    // The order rotates, so that no subject always follows the same other one.
    const order = [...subjects.slice(turn % subjects.length), ...subjects.slice(0, turn % subjects.length)];
    for (const subject of order) {
      add(measured.get(subject.name), await loop(subject, plan.runs, plan.clients));
      await subject.settle?.();
    }
    plan.say(`${plan.clients} client(s), round ${turn + 1} of ${plan.rounds}: ${medians(measured)}`);
  }
  return new Map([...measured].map(([name, values]) => [name, summarise(values)]));
}

/** Makes `runs` runs with `clients` clients; with `forMs`, as many as begin within that time. */
export async function loop(
  subject: Subject,
  runs: number,
  clients: number,
  forMs = Infinity,
): Promise<Measured> {
  await subject.prepare?.(runs);
  const durationsMs: number[] = [];
  const endsAtMs = performance.now() + forMs;
  let remaining = runs;
  const client = async () => {
    while (remaining-- > 0 && performance.now() < endsAtMs) {
      const begin = performance.now();
      await subject.once();
      durationsMs.push(performance.now() - begin);
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return { durationsMs, wallMs: performance.now() - begin };
}

function add(sum: Measured | undefined, { durationsMs, wallMs }: Measured): void {
  if (!sum) return;
  sum.durationsMs.push(...durationsMs);
  sum.wallMs += wallMs;
}

function medians(measured: Map<string, Measured>): string {
  return [...measured].map(([name, values]) => `${name} ${summarise(values).p50Ms} ms`).join(', ');
}

/** A definition with a call in each of many branches, of which so many are under way at once. */
export function callInEachBranch(url: string, count: number, concurrency: number): object {
  const fetch = { id: 'fetch', type: 'http', params: { method: 'GET', url } };
  const body = { blocks: [fetch], edges: [{ from: 'start', to: 'fetch' }] };
  return {
    blocks: [
      { id: 'each', type: 'parallel', params: { count, concurrency }, body },
      { id: 'done', type: 'response', params: { data: '{{ each.count }}' } },
    ],
    edges: [
      { from: 'start', to: 'each' },
      { from: 'each', to: 'done' },
    ],
  };
}
