import { paramsOf, readFilters } from './filters.ts';

const now = Date.parse('2026-01-31T12:00:30Z');

describe('the filters of executions', () => {
  test('the filters of executions are read from the address, without unknown and empty ones', () => {
    const params = new URLSearchParams('status=failed&search=&cursor=x&minCost=2');
    expect(readFilters(params)).toEqual({ status: 'failed', minCost: '2' });
  });

  test('the filters of executions turn a length of time into a moment to the minute', () => {
    expect(paramsOf({ since: '24h' }, now)).toEqual({ startDate: '2026-01-30T12:00:00.000Z' });
  });

  test('the filters of executions give bounds as numbers, and other text unchanged, so that the API names the field', () => {
    expect(paramsOf({ minDurationMs: '1500', maxCost: 'much' }, now)).toEqual({
      minDurationMs: 1500,
      maxCost: 'much',
    });
  });
});
