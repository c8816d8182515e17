import { sleep } from '@temporalio/workflow';

/**
 * The most characters that one task may send to Temporal; a character has up to three bytes. Temporal accepts four
 * megabytes and ends a run that sends more. Values that are added at the end of a full task may double the sum.
 */
const loadMax = 600_000;
/** The most characters that a value counts. A larger value is stored, and only its reference is sent. */
const valueMax = 128 * 1024;
/** The size of a command without its values. */
const commandChars = 500;

/**
 * Counts the characters that the current workflow task sends to Temporal. The count depends only on the steps of the
 * run, so a replay gets the same count.
 */
export class TaskBudget {
  private chars = 0;

  get full(): boolean {
    return this.chars > loadMax;
  }

  add(value: unknown): void {
    this.chars += commandChars + Math.min(JSON.stringify(value ?? null).length, valueMax);
  }

  /** Begins a new count, because only a new task can have delivered the event. */
  renew(): void {
    this.chars = 0;
  }

  /** Ends the task: Temporal takes its commands, and the timer begins the next task. */
  async endTask(): Promise<void> {
    this.chars = 0;
    await sleep(1, { summary: 'a full task' });
  }
}
