import { texts } from '../texts.ts';
import { toasts } from './toasts.svelte.ts';

/** Copies a text, and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.say(texts.act.copied);
  } catch {
    // Browsers refuse it outside of https, and when the page has no focus.
    toasts.warn(new Error(texts.act.notCopied));
  }
}
