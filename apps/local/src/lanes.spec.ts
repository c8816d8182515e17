import { execFileSync } from 'node:child_process';

/** The launcher is no TypeScript, because it runs before anything is installed. */
const { LANES, pickLane }: { LANES: string[]; pickLane(lane: string, files: string[]): string[] } =
  await import(new URL('../run/lanes.mjs', import.meta.url).href);
const files = execFileSync('git', ['ls-files', '*.spec.ts'], { encoding: 'utf8' }).trim().split('\n');

test('each test file is in one lane, and the pure ones are in two', () => {
  const parts = LANES.filter((lane) => lane !== 'pure').map((lane) => pickLane(lane, files));
  expect(parts.flat().toSorted()).toEqual(files.toSorted());
  for (const part of parts) expect(part.length).toBeGreaterThan(5);
  expect(pickLane('pure', files).length).toBeGreaterThan(50);
});

test('a lane that there is not is refused with the names of all', () => {
  expect(() => pickLane('nothing', files)).toThrow('There are core, tables, knowledge');
});
