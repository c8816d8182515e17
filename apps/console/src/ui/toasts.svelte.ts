import { sentenceOf } from '../api/client.ts';

export interface Toast {
  id: number;
  text: string;
  isBad: boolean;
  /** The action that the toast still offers, as to undo it. */
  offer?: Offer | undefined;
}

interface Offer {
  label: string;
  act: () => void;
}

/** Short messages about results. A failure stays until it is closed. */
class Toasts {
  list = $state.raw<Toast[]>([]);
  #next = 0;

  /** A toast with an action stays long enough to be read and reached. */
  say(text: string, offer?: Offer): void {
    const { id } = this.#add(text, false, offer);
    setTimeout(() => this.close(id), offer ? 15_000 : 6_000);
  }

  warn(error: unknown): void {
    this.#add(sentenceOf(error), true);
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  #add(text: string, isBad: boolean, offer?: Offer): Toast {
    const toast = { id: ++this.#next, text, isBad, offer };
    this.list = [...this.list.filter((one) => one.text !== text).slice(-3), toast];
    return toast;
  }
}

export const toasts = new Toasts();
