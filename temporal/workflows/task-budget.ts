import { sleep } from '@temporalio/workflow';

/**
 * Characters, of up to three bytes, that one task may bring. Temporal takes four megabytes, and ends a run that sends
 * more; what comes while a full task is ended may make it twice as much.
 */
const loadMax = 600_000;
/** A larger value is stored, and a reference to it sent. */
const valueMax = 128 * 1024;
/** What a command weighs beside its values. */
const commandChars = 500;

/**
 * What the workflow task under way brings to Temporal. It counts by what the run does and by nothing of the history, so
 * that a replay counts the same.
 */
export class TaskBudget {
  private chars = 0;

  get full(): boolean {
    return this.chars > loadMax;
  }

  add(value: unknown): void {
    this.chars += commandChars + Math.min(JSON.stringify(value ?? null).length, valueMax);
  }

  /** Something came that only a new task can bring. */
  renew(): void {
    this.chars = 0;
  }

  /** Ends the task: Temporal takes what there is, and the timer begins the next one. */
  async endTask(): Promise<void> {
    this.chars = 0;
    await sleep(1, { summary: 'a full task' });
  }
}
