import { Sandbox } from '#libs/platform/sandbox/sandbox';
import { testedWalls } from './health.ts';

test('readiness checks within some seconds share one test of the sandbox', async () => {
  const sandbox = new Sandbox({ concurrency: 1, warm: 0 });
  let tests = 0;
  const counted = {
    selfTest: () => {
      tests++;
      return sandbox.selfTest();
    },
  };
  const walls = testedWalls(counted, 500);
  const [first, second] = await Promise.all([walls(), walls()]);
  expect(first).toBe(second);
  expect(first.works).toBe(true);
  expect(await walls()).toBe(first);
  expect(tests).toBe(1);
  while ((await walls()) === first) await new Promise(setImmediate);
  expect(tests).toBe(2);
  await sandbox.close();
});
