import { sentenceOf } from '../api/client.ts';

export interface Toast {
  id: number;
  text: string;
  isBad: boolean;
}

/** Short words on what was done. What went wrong stays until it is closed. */
class Toasts {
  list = $state.raw<Toast[]>([]);
  #next = 0;

  say(text: string): void {
    const { id } = this.#add(text, false);
    setTimeout(() => this.close(id), 6_000);
  }

  warn(error: unknown): void {
    this.#add(sentenceOf(error), true);
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  #add(text: string, isBad: boolean): Toast {
    const toast = { id: ++this.#next, text, isBad };
    this.list = [...this.list.filter((one) => one.text !== text).slice(-3), toast];
    return toast;
  }
}

export const toasts = new Toasts();
