/** Workflows of DBOS behind HTTP. Arguments: the folder of the packages, the port, and the URL of the database. */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

const [home = '', port, systemDatabaseUrl] = process.argv.slice(2);
const { DBOS } = createRequire(join(home, 'package.json'))('@dbos-inc/dbos-sdk');

const workflow = (name, run) => DBOS.registerWorkflow(run, { name });

const calls = workflow('calls', async (count, url) => {
  for (let i = 0; i < count; i++)
    await DBOS.runStep(async () => (await fetch(url)).text(), { name: `b${i}` });
  return 'done';
});

const pure = workflow('pure', async (amount) => {
  const large = await DBOS.runStep(async () => amount > 1000, { name: 'check' });
  const size = await DBOS.runStep(async () => (large ? 'large' : 'small'), { name: 'name' });
  return DBOS.runStep(async () => ({ size, amount }), { name: 'done' });
});

const approval = workflow('approval', () => DBOS.recv('answer', 3600));

/** The handles of the runs that wait. A result by its handle comes sooner than one that is asked for by id. */
const waiting = new Map();

const routes = {
  '/calls': ({ count, url }) => calls(count, url),
  '/pure': ({ amount }) => pure(amount),
  '/approval': async () => {
    const handle = await DBOS.startWorkflow(approval)();
    waiting.set(handle.workflowID, handle);
    return handle.workflowID;
  },
  '/answer': async ({ id, answer }) => {
    const handle = waiting.get(id);
    waiting.delete(id);
    await DBOS.send(id, answer, 'answer');
    return handle.getResult();
  },
};

DBOS.setConfig({ name: 'peer', systemDatabaseUrl, logLevel: 'error' });
await DBOS.launch();
createServer((request, response) => {
  json(request)
    .then((body) => routes[request.url](body))
    .then(
      (output) => response.end(JSON.stringify(output)),
      (error) => response.writeHead(500).end(String(error)),
    );
}).listen(Number(port), '127.0.0.1');
