/** Prints one line of progress. It goes to stderr, so that stdout holds results only. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
