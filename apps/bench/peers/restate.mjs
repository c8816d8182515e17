/** Services of Restate, which its server calls. Arguments: the folder of the packages, and the port. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [home = '', port] = process.argv.slice(2);
const restate = createRequire(join(home, 'package.json'))('@restatedev/restate-sdk');

const runs = restate.service({
  name: 'runs',
  handlers: {
    calls: async (context, { count, url }) => {
      for (let i = 0; i < count; i++) await context.run(`b${i}`, async () => (await fetch(url)).text());
      return 'done';
    },
    pure: async (context, { amount }) => {
      const large = await context.run('check', () => amount > 1000);
      const size = await context.run('name', () => (large ? 'large' : 'small'));
      return context.run('done', () => ({ size, amount }));
    },
  },
});

const approval = restate.workflow({
  name: 'approval',
  handlers: {
    run: (context) => context.promise('answer').get(),
    answer: (context, answer) => context.promise('answer').resolve(answer),
  },
});

restate.serve({ services: [runs, approval], port: Number(port) });
