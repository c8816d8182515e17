import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { pure } from './support/definitions.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let receiver: Receiver;
/** The way from the laptop to the API, which can be cut. */
let way: Server;
const open = new Set<Socket>();
let isCut = false;
const running: ChildProcess[] = [];

beforeAll(async () => {
  stack = await Stack.shared();
  receiver = await Receiver.start((call, response) => {
    response.statusCode = call.path.includes('refused') ? 500 : 200;
    response.end('{}');
  });
  way = createServer((socket) => {
    if (isCut) return socket.destroy();
    const onward = connect(Number(new URL(stack.url).port), '127.0.0.1');
    for (const one of [socket, onward]) {
      open.add(one);
      one.on('error', () => undefined).on('close', () => open.delete(one));
    }
    return socket.pipe(onward).pipe(socket);
  });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
});
afterAll(async () => {
  for (const child of running) child.kill();
  way.close();
  for (const socket of open) socket.destroy();
  receiver.stop();
  await stack?.stop();
});

function cut(): void {
  isCut = true;
  for (const socket of open) socket.destroy();
}

async function givenHook() {
  const workflow = await stack.givenDeployed(pure);
  const webhook = { kind: 'webhook', name: 'Desk', webhook: { scheme: 'none' }, inputs: { amount: 1 } };
  const { body } = await stack.post(`/api/v1/workflows/${workflow}/triggers`, webhook);
  const { pathname } = new URL(body.data.url);
  const send = (n: number, headers = {}) => stack.call('POST', `${pathname}?n=${n}`, { n }, headers);
  return { workflow, send };
}

/** Starts `holdfast listen`, and resolves when it listens. */
async function listen(workflow: string, to: string, ...more: string[]) {
  const words = ['dist/apps/cli/src/main.js', 'listen', workflow, 'Desk', to, '--json', ...more];
  const { port } = way.address() as AddressInfo;
  const env = { ...process.env, HOLDFAST_URL: `http://127.0.0.1:${port}`, HOLDFAST_API_KEY: stack.home.key };
  const child = spawn(process.execPath, words, { env });
  running.push(child);
  const [lines, said]: [string[], string[]] = [[], []];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const ended = once(child, 'exit');
  await until(
    async () => said,
    (all) => all.some((line) => line.includes('from now on')),
  );
  return { lines, said, ended };
}

test('a listener sends what comes to a trigger to a local server, each once, with its headers, query and body', async () => {
  const { workflow, send } = await givenHook();
  await send(0);
  const { lines, ended } = await listen(workflow, receiver.url('/hook?a=1'), '--count', '3');
  for (const n of [1, 2, 3]) await send(n, { 'x-desk': `ticket ${n}` });
  expect((await ended)[0]).toBe(0);
  const calls = receiver.received.filter(({ path }) => path.startsWith('/hook'));
  expect(calls.map(({ path, body, headers }) => [path, JSON.parse(body), headers['x-desk']])).toEqual(
    [1, 2, 3].map((n) => [`/hook?a=1&n=${n}`, { n }, `ticket ${n}`]),
  );
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    calls.map(({ headers }) => ({ id: headers['holdfast-delivery-id'], verdict: 'accepted', status: 200 })),
  );
});

test('a listener whose connection is lost goes on with what came meanwhile, and repeats nothing', async () => {
  const { workflow, send } = await givenHook();
  const { said, lines, ended } = await listen(workflow, receiver.url('/refused'), '--count', '12');
  for (let n = 1; n <= 4; n++) await send(n);
  await until(
    async () => lines,
    ({ length }) => length > 0,
  );
  cut();
  for (let n = 5; n <= 8; n++) await send(n);
  await until(
    async () => said,
    (all) => all.some((line) => line.includes('The connection is lost')),
  );
  isCut = false;
  for (let n = 9; n <= 12; n++) await send(n);
  await ended;
  const calls = receiver.received.filter(({ path }) => path.startsWith('/refused'));
  expect(calls.map(({ body }) => JSON.parse(body).n)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  expect(lines.map((line) => JSON.parse(line).status)).toEqual(calls.map(() => 500));
});
