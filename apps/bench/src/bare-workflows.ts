import { condition, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';

/** Resolves when the run has done its first task. */
export const ready = defineUpdate('ready');
/** Lets a waiting run end. */
export const go = defineUpdate('go');

/** The smallest possible run. */
export async function empty(): Promise<number> {
  await Promise.resolve();
  return 1;
}

/** The smallest run that one call can start and wait for. */
export async function emptyReady(): Promise<number> {
  setHandler(ready, () => undefined);
  await Promise.resolve();
  return 1;
}

const { call } = proxyActivities<{ call(url: string): Promise<number> }>({ startToCloseTimeout: '30s' });

/** Runs `count` activities one after the other, each with one HTTP call. */
export async function calls(count: number, url: string): Promise<number> {
  for (let i = 0; i < count; i++) await call(url);
  return count;
}

/** Runs `count` activities, at most `window` at a time, each with one HTTP call. */
export async function branches(count: number, window: number, url: string): Promise<number> {
  let remaining = count;
  const lane = async () => {
    while (remaining-- > 0) await call(url);
  };
  await Promise.all(Array.from({ length: window }, lane));
  return count;
}

/** The smallest run that waits for a signal and then ends. */
export async function waiting(): Promise<number> {
  let isReleased = false;
  setHandler(ready, () => undefined);
  setHandler(go, () => {
    isReleased = true;
  });
  await condition(() => isReleased);
  return 1;
}
