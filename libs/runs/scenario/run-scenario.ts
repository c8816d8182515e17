import { durationMs } from '#libs/language/definition/durations';
import { checkInputs } from '#libs/language/definition/inputs';
import type { Plan } from '#libs/language/definition/plan';
import type { JsonObject } from '#libs/platform/json/json';
import { resumeUpdate, type ExecutionInput } from '#temporal/messages';
import { InMemoryStore } from './in-memory-store.ts';
import type { Clock } from './clock.ts';
import { People } from './people.ts';
import type { Played, Scenario } from './scenario.ts';
import type { TestServer } from './test-server.ts';

const executionId = 'exec_scenario';
/** The active time that the product gives a job. */
const activeMsMax = 5_400_000;
const eventsMax = 8000;
/** The workflow time after which a run that only waits is stopped: ten years. */
const untilDefaultMs = 10 * 365 * 86_400_000;

export interface ScenarioRun {
  stage: TestServer;
  plan: Plan;
  scenario: Scenario;
  /** The real time after which an unfinished run is terminated. */
  patienceMs: number;
  /** An abort ends the run at once. */
  signal?: AbortSignal;
}

/** Runs a scenario until it ends or waits for an answer that the scenario does not contain. */
export async function runScenario({
  stage,
  plan,
  scenario,
  patienceMs,
  signal,
}: ScenarioRun): Promise<Played> {
  const { clock, client } = stage;
  const book = new InMemoryStore(scenario);
  const { inputs } = checkInputs(plan.inputs, scenario.inputs ?? {});
  const input = buildInput(stage, book.values.putInputs(inputs), await clock.now());
  const handle = client.getHandle(executionId);
  // Time is held meanwhile, so that the reactions to the cancel are later than everything before it.
  const stop = async () => {
    if (book.stopped) return;
    book.stop(await clock.now());
    await handle.cancel().catch(unlessEnded);
  };
  const people = new People(scenario.people ?? [], clock, book, {
    answer: (message) => handle.executeUpdate(resumeUpdate, { args: [message] }),
    stop,
  });
  stage.cast.take({
    scenario,
    plan,
    input,
    book,
    now: () => clock.now(),
    onPause: (pause) => people.see(pause),
  });
  await client.start('execution', { workflowId: executionId, taskQueue: stage.queue, args: [input] });
  const untilMs = durationMs(scenario.until) ?? untilDefaultMs;
  await clock.holdDuring(() => watch({ clock, book, stop }, untilMs));
  const quit = (why: string) => {
    book.problem(why);
    handle.terminate(why).catch(() => undefined);
  };
  const late = `The run had not ended after ${patienceMs / 1000} s of real time and was stopped.`;
  const guard = setTimeout(() => quit(late), patienceMs);
  const interrupt = () => quit('It was interrupted.');
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  try {
    // The server skips time only while a result is awaited.
    await handle.result();
  } catch (error) {
    // A failed run has its failure in the records. When it failed before its first record, this error is the only
    // source.
    const isTold = book.stopped || book.problems.length > 0;
    if (book.played().status === 'running' && !isTold) book.problem(messageOf(error));
  } finally {
    clearTimeout(guard);
    signal?.removeEventListener('abort', interrupt);
    book.stop(await clock.now());
  }
  return book.played();
}

/** Stops a run that has not ended by then. */
async function watch(
  { clock, book, stop }: { clock: Clock; book: InMemoryStore; stop: () => Promise<void> },
  untilMs: number,
): Promise<void> {
  try {
    await clock.letPass(untilMs);
    await stop();
  } catch (error) {
    // Most scenarios end, and close the test server, long before that moment.
    if (!clock.closed) book.problem(messageOf(error));
  }
}

function buildInput({ queue }: TestServer, inputs: JsonObject, acceptedAtMs: number): ExecutionInput {
  return {
    executionId,
    workspaceId: 'scenario',
    workflowId: 'scenario',
    workflowName: 'scenario',
    version: 1,
    // The start never contains the plan, so that its size does not matter: the run loads it like any large plan.
    planHash: 'scenario',
    inputs,
    mode: 'async',
    trigger: 'scenario',
    activeMsMax,
    eventsMax,
    acceptedAtMs,
    queue,
    detailUrl: '',
  };
}

/** Ignores the error of a run that ended at the moment of the stop. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error;
}

function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
