/**
 * Resolves when what has arrived by now has been looked at. One wake-up of the process often brings several requests, each of which
 * runs before the next one is seen: whoever begins at once begins alone.
 */
export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Asks for many things with one question at a time: whatever is asked for while a question is under way goes into the
 * next one together, so strangers cannot have more than one query under way. When a question fails, all who wait for it get its error.
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
