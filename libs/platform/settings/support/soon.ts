const limitMs = 180_000;

/**
 * Waits for a condition. The limit is generous, because a busy machine is no fault. It does not check again what was true once, because
 * a process that calls exec has no command line for a moment.
 */
export async function soon(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${holds} did not hold within ${limitMs} ms.`);
    await new Promise((turn) => setTimeout(turn, 5));
  }
}
