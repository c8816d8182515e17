import { block, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let receiver: Receiver;
beforeAll(async () => {
  stack = await Stack.shared();
  receiver = await Receiver.start(({ body }, response) => {
    response.statusCode = 500;
    response.end(JSON.stringify({ got: body, also: 'outside data' }));
  });
});
afterAll(async () => {
  receiver.stop();
  await stack.stop();
});

const lines = () => [...stack.api.lines, ...stack.worker.lines];
const saying = (message: string, executionId: string) =>
  lines()
    .filter((one) => one.includes(`"msg":"${message}"`) && one.includes(executionId))
    .map((one) => JSON.parse(one));

/** Waits for the lines about a failed block and its run. They come from two processes, so either may be first. */
const untilTold = async (path: string, { executionId }: { executionId: string }) =>
  until(
    async () => ({
      codes: [stack.api, stack.worker]
        .flatMap((program) => program.failedAttempts(path, executionId))
        .map(({ msg, error }) => error?.code ?? msg.replace(/^.*: /, '')),
      run: saying('Workflow failed', executionId),
    }),
    ({ codes, run }) => codes.length > 0 && run.length > 0,
  );

describe('log of the processes', () => {
  test('the log of the processes has the code of a failed block and of its run, and no input or output', async () => {
    const workflow = await stack.givenDeployed({
      start: { inputs: { name: { type: 'string', required: true } } },
      ...line(
        block('told', 'http', {
          method: 'POST',
          url: receiver.url('/'),
          body: { name: '{{ start.name }}' },
          idempotent: true,
        }),
        respond('done'),
      ),
    });
    const inputs = { name: 'a private name' };
    const { body } = await stack.execute(workflow, { inputs });
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'HTTP_500' } });
    const told = await untilTold('told', body);
    expect(told.run).toMatchObject([{ error: { type: 'ApplicationFailure', code: 'HTTP_500' } }]);
    expect(told.codes).toEqual(['HTTP_500']);
    expect(lines().filter((one) => /a private name|outside data/.test(one))).toEqual([]);
  });

  test('the log of the processes leaves out failure messages that an author or a program wrote', async () => {
    const workflow = await stack.givenDeployed({
      start: { inputs: { name: { type: 'string', required: true } } },
      ...line(
        block('thrown', 'function', {
          code: 'throw new Error(`no ${input.name}`);',
          input: { name: '{{ start.name }}' },
        }),
        respond('done'),
      ),
    });
    const { body } = await stack.execute(workflow, { inputs: { name: 'another private name' } });
    expect(JSON.stringify(body.failure)).toContain('another private name');
    const { codes } = await untilTold('thrown', body);
    expect(codes).toEqual([body.failure.code]);
    expect(lines().filter((one) => one.includes('another private name'))).toEqual([]);
  });
});
