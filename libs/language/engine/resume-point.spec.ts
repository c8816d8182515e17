import { compile } from '#libs/language/definition/compile';
import type { Block } from '#libs/language/definition/blocks/registry';
import type { JsonObject } from '#libs/platform/json/json';
import { parseEdges, respond } from './support/given.ts';
import { buildResumePoint } from './resume-point.ts';
import { Run } from './run.ts';

const about = { blocks: [], startedAtMs: 0, recordedAtMs: 0 };
const ask = (id: string, more: JsonObject = {}): Block => ({
  id,
  type: 'human',
  params: { title: id, form: [{ name: 'ok', type: 'boolean', required: true }], ...more },
});

/** A run that has reached its pauses, after its log was taken. */
function paused(blocks: Block[], inputs: JsonObject = {}, edges: string[] = []) {
  const given =
    edges.length > 0
      ? parseEdges(...edges)
      : blocks.map(({ id }, i) => ({ from: blocks[i - 1]?.id ?? 'start', to: id }));
  const plan = compile({ blocks, edges: given });
  const run = Run.start(plan, { inputs, run: { id: 'exec_1' }, nowMs: 0 });
  run.takeReady(0);
  run.takeLog();
  return { run, plan };
}

test('a run that goes on from its resume point ends like the original run', () => {
  const blocks = [
    ask('first'),
    ask('second'),
    respond('done', { a: '{{ first.ok }}', b: '{{ second.ok }}' }),
  ];
  const { run, plan } = paused(blocks);
  for (const [path, ok] of [
    ['first', true],
    ['second', false],
  ] as const) {
    const rest = buildResumePoint(run, about);
    if (!rest) throw new Error('there is nothing to go on from');
    const other = Run.restore(plan, rest.state);
    const logs = [run, other].map((one) => {
      one.resume(path, { ok }, 5);
      return { effects: one.takeReady(5), log: one.takeLog(), outcome: one.outcome() };
    });
    expect(logs[1]).toEqual(logs[0]);
  }
  expect(run.outcome()).toMatchObject({ output: { a: true, b: false } });
});

test.each<[string, Block[], JsonObject, string[]]>([
  ['waiting for two answers', [ask('a'), ask('b')], {}, ['start a', 'start b']],
  ['waiting for votes', [ask('a', { approvals: { assignees: ['a@example.org'], decision: 'ok' } })], {}, []],
  [
    'waiting for a time as well',
    [ask('a'), { id: 'w', type: 'wait', params: { duration: 60 } }],
    {},
    ['start a', 'start w'],
  ],
  ['after its end', [respond('done', 'done')], {}, []],
  ['with a large state', [ask('a')], { text: 'x'.repeat(70_000) }, []],
])('a run %s has no resume point', (_, blocks, inputs, edges) => {
  expect(buildResumePoint(paused(blocks, inputs, edges).run, about)).toBeNull();
});
