const limitMs = 180_000;

/**
 * Waits for a condition. The limit is generous, because a busy machine is no fault. It does not check again what was true once, because
 * a process that calls exec has no command line for a moment.
 */
export async function soon(holds: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() > begun + limitMs) throw new Error(`${holds} did not hold within ${limitMs} ms.`);
    await pauseSince(begun);
  }
}

/** Waits a fifth of the time since then, between 10 and 250 ms. So a test that waits long takes little time from what it waits for. */
export function pauseSince(begun: number): Promise<void> {
  const fifth = (performance.now() - begun) / 5;
  return new Promise((resolve) => setTimeout(resolve, Math.min(250, Math.max(10, fifth))));
}
