const asked = process.env['HOLDFAST_TEST_WHOLE'];

/**
 * True when each file that imports this runs in whole: in `npm run test:all`, and with `HOLDFAST_TEST_WHOLE=yes`. `npm test` runs a
 * small part of each campaign, of the foreign clients, and of the pages and looks.
 */
export const isWhole = asked !== undefined;

/** A test that has more cases in whole. `npm run test:all` leaves the other tests of its file out, because `npm test` has run them. */
export const testMoreInWhole = asked === 'rest' ? test.only : test;

/** Like `testMoreInWhole`, for a group of tests. */
export const describeMoreInWhole = asked === 'rest' ? describe.only : describe;

/** A test that runs only in whole. */
export function testInWhole(...args: Parameters<typeof test>): void {
  if (isWhole) testMoreInWhole(...args);
}
