import { toasts } from '../ui/toasts.svelte.ts';

/** An action of a person on a page: busy while it runs, with its fault for the place that shows it. */
export class Act {
  isBusy = $state(false);
  error = $state.raw<unknown>();

  /** True when it was done; `said` is told then. */
  async run(work: () => Promise<unknown>, said?: string): Promise<boolean> {
    this.isBusy = true;
    this.error = undefined;
    try {
      await work();
      if (said) toasts.say(said);
      return true;
    } catch (error) {
      this.error = error;
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}
