/**
 * Resolves after the event loop has handled all input that has arrived. The event loop handles requests one after the other, so
 * work that waits for this can combine several requests.
 */
export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Returns a function that loads a value by its key, in batches. Only one query runs at a time; keys that arrive meanwhile share the next
 * query. So callers without a key cannot cause more than one query at a time. When a query fails, all callers of this batch get
 * its error.
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
