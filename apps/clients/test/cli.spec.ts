import { approval } from '#apps/api/test/support/definitions';
import { Stack } from '#apps/api/test/support/stack';
import { runProgram } from '#apps/cli/src/program';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack?.stop());

/** Runs a command in this process against the installation, where no terminal is. */
async function holdfast(...words: string[]) {
  const { url, home } = stack;
  let [stdout, stderr] = ['', ''];
  const code = await runProgram(
    {
      env: { HOLDFAST_URL: url, HOLDFAST_API_KEY: home.key, HOLDFAST_WORKSPACE_ID: home.id },
      isInteractive: false,
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
      paint: (_style, text) => text,
      progress: () => undefined,
      ask: (question) => Promise.reject(new Error(question)),
      readInput: () => Promise.resolve(''),
    },
    words,
  );
  return { code, stdout, stderr };
}

test('a list of versions names who made them, and inbox and log have the title of the execution', async () => {
  const titled = { ...approval, start: { ...approval.start, title: 'Order of {{ start.amount }}' } };
  const workflow = await stack.givenDeployed(titled);
  const { executionId } = await stack.givenPaused(workflow, { amount: 7 });
  const [version] = (await stack.get(`/api/v1/workflows/${workflow}/versions`)).body.data;
  const [versions, inbox, shown] = [
    await holdfast('versions', workflow),
    await holdfast('inbox'),
    await holdfast('logs', 'show', executionId),
  ].map(({ stdout }) => stdout);
  expect({ versions, inbox, shown }).toEqual({
    versions: expect.stringMatching(new RegExp(`^\\* +1 .* ${version.createdByName}$`, 'm')),
    inbox: expect.stringMatching(/ Order of 7 +Approve 7\?/),
    shown: expect.stringMatching(new RegExp(`^${executionId} paused \\S+ Order of 7\n`)),
  });
});
