import { idPattern, newId } from './ids.ts';

describe('newId', () => {
  test('newId gives ids that differ and sort in the order in which they were made, many in a millisecond', () => {
    const ids = Array.from({ length: 50_000 }, () => newId('row'));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id, i) => i > 0 && id <= (ids[i - 1] ?? ''))).toEqual([]);
    expect(ids.filter((id) => !idPattern.test(id))).toEqual([]);
  });

  test('newId gives UUIDs of version 7 with the time at which they were made, and no two with the same random end', () => {
    const before = Date.now();
    const uuids = Array.from({ length: 1000 }, () => newId('row').slice('row_'.length));
    expect(uuids.filter((uuid) => uuid[12] !== '7' || !'89ab'.includes(uuid[16] ?? ''))).toEqual([]);
    const times = uuids.map((uuid) => Number.parseInt(uuid.slice(0, 12), 16));
    expect(times.filter((time) => time < before || time > Date.now())).toEqual([]);
    expect(new Set(uuids.map((uuid) => uuid.slice(-12))).size).toBe(uuids.length);
  });

  test('newId goes on in order when the clock is set back', () => {
    const last = newId('row');
    const { now } = Date;
    try {
      Date.now = () => now() - 3_600_000;
      expect(newId('row') > last).toBe(true);
    } finally {
      Date.now = now;
    }
  });
});
