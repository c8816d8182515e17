/** What some tests need beside Node and the servers. The launcher looks for all of it before the tests, see apps/dev/downloads. */
export type Need =
  | 'a browser'
  | 'a server of buckets'
  | 'the agent in Python'
  | 'the clients of others'
  | 'the clients of others in wheels'
  | 'the collector of traces'
  | 'the conformance suite'
  | 'the embedding model'
  | 'the inspector'
  | 'the libraries of webhook senders'
  | 'the tools of the Python client'
  | 'promtool';

/** True unless the launcher has found that this machine cannot have it. */
export const isHere = (need: Need) =>
  !JSON.parse(process.env['HOLDFAST_TEST_MISSING'] ?? '[]').includes(need);

/** A test that is left out where the machine cannot have what it needs. The end of `npm test` has a line about each such need. */
export const testWith = (need: Need) => (isHere(need) ? test : test.skip);

/** Like `testWith`, for a group of tests. */
export const describeWith = (need: Need) => (isHere(need) ? describe : describe.skip);
