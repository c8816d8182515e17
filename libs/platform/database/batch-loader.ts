/**
 * Resolves after the handlers of all requests that have already arrived have started. The event loop often receives several requests at
 * once, and starts their handlers one after the other. A caller that waits for this tick can batch all of them.
 */
export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Returns a function that loads a value by its key, in batches. At most one call of `ask` runs at a time. Keys that arrive during this
 * call go into the next call together, so a loader never runs more than one query at the same time.
 * The function resolves to undefined for a key without a value. When `ask` fails, it rejects for each key of this call with its error.
 */
export function batchLoader<T>(
  ask: (keys: string[]) => Promise<Map<string, T>>,
): (key: string) => Promise<T | undefined> {
  let waiting = new Set<string>();
  let next: Promise<Map<string, T>> | null = null;
  let under: Promise<unknown> = Promise.resolve();

  const afterThis = async () => {
    await under.catch(() => undefined);
    await nextTick();
    const keys = [...waiting];
    [waiting, next] = [new Set(), null];
    const asked = ask(keys);
    under = asked;
    return asked;
  };
  return async (key) => {
    waiting.add(key);
    next ??= afterThis();
    return (await next).get(key);
  };
}
