const lineFeed = 10;

/** About how many lines a file has: a cell with an end of line counts as two. */
export async function countLines(file: Blob): Promise<number> {
  const reader = file.stream().getReader();
  let count = 0;
  let last = lineFeed;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return last === lineFeed ? count : count + 1;
    for (const byte of value) if (byte === lineFeed) count += 1;
    last = value.at(-1) ?? last;
  }
}
