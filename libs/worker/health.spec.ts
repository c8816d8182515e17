import { Sandbox } from '#libs/platform/sandbox/sandbox';

test('readiness checks within some seconds share one test of the sandbox', async () => {
  const sandbox = new Sandbox({ concurrency: 1, warm: 0, testedForMs: 500 });
  const [first, second] = await Promise.all([sandbox.testedWalls(), sandbox.testedWalls()]);
  expect(first).toBe(second);
  expect(first.works).toBe(true);
  expect(await sandbox.testedWalls()).toBe(first);
  while ((await sandbox.testedWalls()) === first) await new Promise(setImmediate);
  await sandbox.close();
});
