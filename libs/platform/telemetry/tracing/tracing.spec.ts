import { scope } from './scope.ts';
import { beginTrace, startTracing, traced, traceHeaders, parseTrace } from './tracing.ts';

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
const caller = `00-${traceId}-${spanId}-01`;
const traceparent = () => traceHeaders().traceparent;

describe('while traces are off', () => {
  test('work is done as it is, and no trace is begun, taken over or passed on', async () => {
    expect([beginTrace('a', { traceparent: caller }), parseTrace({ traceparent: caller })]).toEqual([
      null,
      undefined,
    ]);
    const work = async () => traceparent();
    expect(
      await scope.run({ trace: { traceId, spanId, traceFlags: 1 } }, () => traced('a', {}, work)),
    ).toBeUndefined();
  });
});

describe('while traces are on', () => {
  let end: () => Promise<void>;
  // No server listens there. Spans that cannot be sent cause no error.
  beforeAll(async () => {
    end = await startTracing('test', { endpoint: 'http://127.0.0.1:9', headers: {}, ratio: 0 });
  });
  afterAll(() => end());

  test.each([
    ['version 00', caller, true],
    ['a later version and more fields', `01-${traceId}-${spanId}-01-more`, true],
    ['a trace that is not recorded', `00-${traceId}-${spanId}-00`, true],
    ['the forbidden version', `ff-${traceId}-${spanId}-01`, false],
    ['no trace', `00-${'0'.repeat(32)}-${spanId}-01`, false],
    ['no span', `00-${traceId}-${'0'.repeat(16)}-01`, false],
    ['capital letters', caller.toUpperCase(), false],
    ['a digit too few', caller.slice(0, -1), false],
    ['a digit too many', `${caller}1`, false],
    ['two values', `${caller},${caller}`, false],
    ['an empty value', '', false],
  ])('a trace reads or ignores a header with %s: %#', (_, header, counts) => {
    expect(parseTrace({ traceparent: header })?.traceId).toBe(counts ? traceId : undefined);
  });

  test('a call goes on with the trace of its caller, and is recorded when its caller’s is', () => {
    for (const [header, recorded] of [
      [caller, true],
      [`00-${traceId}-${spanId}-00`, false],
    ] as const) {
      const span = beginTrace('a', { traceparent: header });
      expect([span?.spanContext().traceId, span?.isRecording()]).toEqual([traceId, recorded]);
      span?.end();
    }
    expect(beginTrace('a', undefined)?.isRecording()).toBe(false);
  });

  test('each span is the parent of the work in it, and work of no trace stays without', async () => {
    const inside = await scope.run({ requestId: 'r', trace: { traceId, spanId, traceFlags: 1 } }, () =>
      traced('outer', {}, () =>
        traced('inner', {}, async () => ({ ...scope.getStore(), next: traceparent() })),
      ),
    );
    expect(inside.requestId).toBe('r');
    expect(inside.next).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(inside.next).not.toContain(spanId);
    expect(await traced('alone', {}, async () => traceparent())).toBeUndefined();
  });

  test.each([
    ['of other vendors is passed on unchanged', 'one=1,two@b=2', 'one=1,two@b=2'],
    ['with a malformed value is left out', 'One 1', undefined],
  ])('a tracestate %s', async (_, tracestate, passed) => {
    const trace = parseTrace({ traceparent: caller, tracestate });
    const told = await scope.run({ trace }, () => traced('a', {}, async () => traceHeaders()));
    expect(told.tracestate).toBe(passed);
  });

  test('an error passes through the span that it ends', async () => {
    const failing = async () => {
      throw new TypeError('no');
    };
    const trace = { traceId, spanId, traceFlags: 1 };
    await expect(scope.run({ trace }, () => traced('a', {}, failing))).rejects.toThrow(TypeError);
  });
});
