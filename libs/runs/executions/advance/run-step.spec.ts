import { compile } from '#libs/language/definition/compile';
import { LoggedRun } from '#libs/language/engine/logged-run';
import type { RunEvent } from '#libs/language/engine/run-events';
import { toRecord } from './run-step.ts';

const row = {
  id: 'exec_1',
  workspace_id: 'ws_1',
  workflow_id: 'wf_1',
  version: 1,
  plan_hash: 'hash',
  created_at: new Date(0),
  root_id: null,
  parent_id: null,
};
const call = (id: string) => ({
  id,
  name: id,
  type: 'http' as const,
  params: { method: 'GET' as const, url: 'http://a.test/' },
});
const plan = compile({
  blocks: [call('good'), call('bad')],
  edges: [
    { from: 'start', to: 'good' },
    { from: 'start', to: 'bad' },
  ],
});

test('a call is told to the ledger by the record that logs its success, and by no other', () => {
  const run = LoggedRun.open(plan, { inputs: {}, run: { id: 'exec_1' }, nowMs: 1000 });
  const callsAfter = (...events: RunEvent[]) => toRecord(row, run, run.advance(events, 2000)).calls;
  const succeeded: RunEvent = { kind: 'succeeded', path: 'good', output: null };
  expect(callsAfter({ kind: 'started' })).toEqual([]);
  expect(callsAfter(succeeded, succeeded)).toEqual([{ path: 'good', type: 'http' }]);
  const failed: RunEvent = { kind: 'failed', path: 'bad', failure: { code: 'HTTP_500', message: 'no' } };
  expect(callsAfter(succeeded, failed)).toEqual([]);
});
