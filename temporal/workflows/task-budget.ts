import { sleep } from '@temporalio/workflow';

/**
 * The most characters, of up to three bytes, that one task may send to Temporal. Temporal accepts four megabytes and
 * ends a run that sends more; values that are added while a full task ends may double the sum.
 */
const loadMax = 600_000;
/** The most characters that a value counts: a larger one is stored, and a reference to it sent. */
const valueMax = 128 * 1024;
/** The size of a command without its values. */
const commandChars = 500;

/**
 * Counts the bytes that the workflow task under way sends to Temporal. The count depends on what the run does and on nothing in the
 * history, so that a replay counts the same.
 */
export class TaskBudget {
  private chars = 0;

  get full(): boolean {
    return this.chars > loadMax;
  }

  add(value: unknown): void {
    this.chars += commandChars + Math.min(JSON.stringify(value ?? null).length, valueMax);
  }

  /** Begins a new count: an event came that only a new task can deliver. */
  renew(): void {
    this.chars = 0;
  }

  /** Ends the task: Temporal takes its commands, and the timer begins the next task. */
  async endTask(): Promise<void> {
    this.chars = 0;
    await sleep(1, { summary: 'a full task' });
  }
}
