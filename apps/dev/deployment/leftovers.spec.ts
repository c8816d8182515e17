import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findTest, isAlive, nameTest } from './leftovers.ts';

test('a deployment test lives as long as its process, and not when another process has got its number', async () => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  const name = nameTest(child.pid);
  expect([isAlive(name), isAlive(nameTest())]).toEqual([true, true]);
  expect(isAlive(name.replace(/\d+$/, '1'))).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect([isAlive(name), isAlive('')]).toEqual([false, false]);
});

test.each([
  ['holdfast-test-12-345-api-1', 'holdfast-test-12-345'],
  ['holdfast-test-12-345_database', 'holdfast-test-12-345'],
  ['holdfast-test-12-345:1', 'holdfast-test-12-345'],
  ['holdfast-test/postgres:latest', undefined],
  ['holdfast-test-stand-in', undefined],
  ['my-holdfast-test-12-345-api-1', undefined],
  ['holdfast-api-1', undefined],
])('a thing on the engine with the name %s belongs to the deployment test %s', (name, owner) => {
  expect(findTest(name)).toBe(owner);
});
