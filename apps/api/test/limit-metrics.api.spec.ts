import { pure } from './support/definitions.ts';
import { givenMember } from './support/people.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({
    METRICS_PORT: '0',
    PRICE_PER_EXECUTION: '0.005',
    USAGE_LIMIT: '0.012',
    RATE_ASYNC_PER_MINUTE: '1',
    STORAGE_LIMIT_BYTES: '1',
  });
});
afterAll(() => stack.stop());

const inputs = { amount: 1 };

async function refusals(): Promise<Record<string, number>> {
  const line = stack.api.lines.find((one) => one.includes('metrics are served')) ?? '{}';
  const text = await (await fetch(`http://${JSON.parse(line).address}/metrics`)).text();
  const found = text.matchAll(/^holdfast_limit_refusals_total\{reason="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, reason, count]) => [reason, Number(count)]));
}

test('each refusal by a limit is counted under its limit', async () => {
  const capped = await stack.givenWorkspace('caps a member');
  const headers = { 'x-api-key': capped.key };
  const member = await givenMember(stack, 'bea@payer.example', 'editor', capped);
  const cap = `/api/v1/workspaces/${capped.id}/members/${member.id}/cap`;
  await stack.call('PUT', cap, { monthlyCost: 0.001 }, headers);
  const theirs = await stack.givenDeployed(pure, headers);
  const ofMember = async () => (await stack.execute(theirs, { inputs }, member.headers)).status;
  expect([await ofMember(), await ofMember()]).toEqual([200, 402]);

  const workflow = await stack.givenDeployed(pure);
  const statuses: number[] = [];
  for (const async of [false, false, false, false, true, true, true, true])
    statuses.push((await stack.execute(workflow, { inputs, async })).status);
  expect(statuses).toEqual([200, 200, 200, 402, 402, 402, 429, 429]);

  const schema = { columns: [{ name: 'a', type: 'string' }] };
  const { id } = (await stack.post('/api/v1/tables', { name: 'Lines', schema })).body.data.table;
  const insert = () => stack.post(`/api/v1/tables/${id}/rows`, { data: { a: 'x' } });
  await until(insert, ({ status }) => status === 402);
  expect(await refusals()).toEqual({ rate: 2, usage: 3, member_cap: 1, storage: 1 });
});
