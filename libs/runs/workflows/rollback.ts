/**
 * The version that a rollback goes to, from the versions that became live, oldest first; null when there is none. The
 * history works like a stack: going back to a version removes all later ones. So two rollbacks in a row go back two
 * versions and do not alternate between two.
 */
export function versionBefore(history: readonly number[]): number | null {
  const stack: number[] = [];
  for (const version of history) {
    const earlier = stack.lastIndexOf(version);
    if (earlier >= 0) stack.length = earlier;
    stack.push(version);
  }
  return stack.at(-2) ?? null;
}
