import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { isGoodSubject, newSubjects } from './commits.ts';

testAsWarning(
  'each new commit has a subject of the form "area: what changes" in at most 60 characters',
  () => {
    expect((newSubjects() ?? []).filter((subject) => !isGoodSubject(subject))).toEqual([]);
  },
);

test.each([
  ['tables: one statement inserts many rows', true],
  ['libs, api: errors are called errors', true],
  ['Hold the two texts that a test of a column with a slot may become', false],
  ['Tables: one statement', false],
  ['tables:', false],
  [`tables: ${'x'.repeat(53)}`, false],
])('the subject "%s" is accepted: %s', (subject, accepted) => {
  expect(isGoodSubject(subject)).toBe(accepted);
});
