import { TestServer } from './test-server.ts';
import { quiet } from './test/lines.ts';

beforeAll(quiet);

test('a closed clock ends the sleeps of all work that holds time, and no sleep begins after', async () => {
  const stage = await TestServer.open({});
  const ends: string[] = [];
  const sleep = async () => {
    for (const turn of ['first', 'second'])
      await stage.clock.letPass(86_400_000).catch(() => void ends.push(turn));
    await stage.clock.letPass(1);
  };
  await stage.clock.holdDuring(sleep);
  await stage.clock.close();
  expect(ends).toEqual(['first', 'second']);
  await stage.clock.holdDuring(sleep);
  expect(ends.length).toBe(2);
  await stage.close();
});
