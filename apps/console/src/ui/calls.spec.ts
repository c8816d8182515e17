import { asCurl, asSdkCall } from './calls.ts';

const origin = 'https://holdfast.example';
const answer = {
  verb: 'POST',
  path: '/api/resume/{workflowId}/{contextId}',
  query: [],
  method: 'pauses.answer',
};
const list = { verb: 'GET', path: '/api/v1/logs', query: ['status', 'search'], method: 'logs.list' };

describe('a copied call', () => {
  test('a copied call has, for curl, its ids in the path and the rest in the body', () => {
    const call = asCurl(answer, { workflowId: 'wf_1', contextId: 'ctx_1', input: { ok: true } }, origin);
    expect(call).toContain(`curl -X POST 'https://holdfast.example/api/resume/wf_1/ctx_1'`);
    expect(call).toContain(`-d '{"input":{"ok":true}}'`);
  });

  test('a copied call leaves out, for curl, empty filters and stays one word of the shell', () => {
    const call = asCurl(list, { status: '', search: "it's $HOME" }, origin);
    expect(call).toContain(`'https://holdfast.example/api/v1/logs?search=it%27s+%24HOME'`);
  });

  test('a copied call is not ended, for curl, by a quote in an answer', () => {
    const call = asCurl(answer, { workflowId: 'a', contextId: 'b', input: "'; rm -rf ~ #" }, origin);
    expect(call).toContain(`-d '{"input":"'\\''; rm -rf ~ #"}'`);
  });

  test('a copied call gives, for the client, its ids one by one and the rest as an object', () => {
    const call = asSdkCall(answer, { workflowId: 'wf_1', contextId: 'ctx_1', input: { ok: true } }, origin);
    expect(call).toContain('client.pauses.answer("wf_1", "ctx_1", {\n  "input"');
  });
});
