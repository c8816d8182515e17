import { found, http, human, line, type Raw, respond } from '../support/given.ts';
import { validate } from './validate.ts';

const inputs = {
  start: {
    inputs: {
      n: { type: 'number', required: true },
      s: { type: 'string', required: true },
      o: { type: 'string' },
      list: { type: 'array', required: true },
    },
  },
};

const refused = [
  ['{{ b.data }}', 'not_before'],
  ['{{ c.data }}', 'not_before'],
  ['{{ nobody }}', 'unknown_reference'],
  ['{{ loop2.x }}', 'unknown_reference'],
  ['{{ branch.index }}', 'unknown_reference'],
  ['{{ vars.gone }}', 'unknown_variable'],
  ['{{ secrets.KEY }}', 'secret_not_allowed'],
  ['{{ start.n + start.s }}', 'expression_type'],
  ['{{ start.s * 2 }}', 'expression_type'],
  ['{{ "a" + 1 }}', 'expression_type'],
  ['{{ size(1) }}', 'expression_type'],
  ['{{ nofunction(1) }}', 'expression_type'],
  ['{{ start.s.matches("a") }}', 'expression_syntax'],
  ['{{ start.s', 'expression_syntax'],
  ['{{ }}', 'expression_syntax'],
];

describe('reads', () => {
  test.each(refused)('%s is refused', (data, code) => {
    const blocks = [http('a'), respond('b', data), http('c')];
    expect(found(line(blocks, inputs))).toEqual([`blocks[1].params.data ${code}`]);
  });

  test.each([
    '{{ start.n * 2 }}',
    '{{ start.n + 0.5 }}',
    '{{ start.n == 5 }}',
    '{{ start.n in [1, 2] }}',
    '{{ start.n == null }}',
    '{{ start.s == null }}',
    '{{ start.o + 1 }}',
    '{{ start.list.map(x, x + 1) }}',
    '{{ start.s.substring(start.n) }}',
    '{{ start.list[start.n] }}',
    '{{ size(start) }}',
    '{{ start.map(k, k) }}',
    '{{ start.n > 1 ? start.s : start.n }}',
    '{{ start.undeclared + 1 }}',
    '{{ vars.v + 1 }}',
    '{{ run.id }}',
    '{{ a.data.x }}',
    '{{ start.constructor }}',
    '{{ start.n > 1 && a.data }}',
  ])('%s passes', (data) => {
    const blocks = [http('a'), respond('b', data)];
    expect(found(line(blocks, { ...inputs, variables: { v: { type: 'number' } } }))).toEqual([]);
  });

  test('an unknown member of run is refused, and the message names the members', () => {
    const { faults } = validate(line([http('a'), respond('b', '{{ run.startedAt }}')], inputs));
    expect(faults).toMatchObject([
      {
        code: 'unknown_member',
        message:
          '"run" has no member "startedAt". It has id, executionId, workspaceId, workflowId, version, mode, trigger, startTime.',
      },
    ]);
  });

  test.each(['1 + 1', '"x"', 'start.n', 'start.n + 1', 'size(start.s)'])(
    'the condition %s is refused because it gives no boolean',
    (when) => {
      expect(found(line([{ id: 'a', type: 'condition', cases: [{ port: 'x', when }] }], inputs))).toEqual([
        'blocks[0].cases[0].when expression_type',
      ]);
    },
  );

  test('a secret may be read by name in an effect, and not in code', () => {
    const secret = { Authorization: 'Bearer {{ secrets.KEY }}' };
    expect(
      found(line([http('a', { params: { method: 'GET', url: 'https://a.test', headers: secret } })])),
    ).toEqual([]);
    expect(
      found(
        line([
          {
            id: 'a',
            type: 'function',
            params: { code: 'return "{{ secrets.KEY + }}"', input: '{{ secrets.KEY }}' },
          },
        ]),
      ),
    ).toEqual([]);
    expect(
      found(line([http('a', { params: { method: 'GET', url: 'https://a.test', body: '{{ secrets }}' } })])),
    ).toEqual(['blocks[0].params.body secret_not_allowed']);
  });
});

describe('warnings', () => {
  const fork = { id: 'fork', type: 'condition', cases: [{ port: 'yes', when: 'start.x' }] };
  const joined = (data: string, more: Raw[] = []): Raw => ({
    blocks: [http('first'), fork, http('maybe'), http('always'), respond('end', data)],
    edges: [
      { from: 'start', to: 'first' },
      { from: 'first', to: 'fork' },
      { from: 'fork', port: 'yes', to: 'maybe' },
      { from: 'fork', port: 'else', to: 'end' },
      { from: 'maybe', to: 'end' },
      { from: 'start', to: 'always' },
      { from: 'always', to: 'end' },
      ...more,
    ],
  });

  test('only a read of a block that may be skipped warns', () => {
    expect(validate(joined('{{ first.data }} {{ always.data }} {{ fork.port }}')).warnings).toEqual([]);
    expect(validate(joined('{{ maybe.data }}')).warnings).toEqual([
      'blocks[4].params.data: "maybe" may be skipped, and then reads as null.',
    ]);
  });

  test('a block with an error port may be missing behind it', () => {
    const { warnings } = validate({
      blocks: [http('a'), http('b'), respond('c', '{{ b.data }}')],
      edges: [
        { from: 'start', to: 'a' },
        { from: 'a', to: 'b' },
        { from: 'a', port: 'error', to: 'c' },
        { from: 'b', to: 'c' },
      ],
    });
    expect(warnings).toEqual(['blocks[2].params.data: "b" may be skipped, and then reads as null.']);
  });

  test('a human block beside a response warns', () => {
    const { warnings } = validate({
      blocks: [human('a'), respond('b', 1)],
      edges: [
        { from: 'start', to: 'a' },
        { from: 'start', to: 'b' },
      ],
    });
    expect(warnings).toEqual(['blocks[0]: "a" may wait for a person beside the response "b".']);
  });

  test('a human block behind another port than the response does not warn', () => {
    const check = { id: 'check', type: 'condition', cases: [{ port: 'large', when: '1 > 2' }] };
    const choice = {
      blocks: [check, human('ask'), respond('passed', 1)],
      edges: [
        { from: 'start', to: 'check' },
        { from: 'check', port: 'large', to: 'ask' },
        { from: 'check', port: 'else', to: 'passed' },
      ],
    };
    expect(validate(choice).warnings).toEqual([]);
    const both = { ...choice, edges: [...choice.edges, { from: 'check', port: 'large', to: 'passed' }] };
    expect(validate(both).warnings).toEqual([
      'blocks[1]: "ask" may wait for a person beside the response "passed".',
    ]);
    const late = { ...choice, edges: [...choice.edges, { from: 'start', to: 'ask' }] };
    expect(validate(late).warnings).toHaveLength(1);
  });

  test('a human block behind the error port of a block and a response behind its success do not warn', () => {
    const { warnings } = validate({
      blocks: [http('call'), human('mend'), respond('done', 1)],
      edges: [
        { from: 'start', to: 'call' },
        { from: 'call', port: 'error', to: 'mend' },
        { from: 'call', to: 'done' },
      ],
    });
    expect(warnings).toEqual([]);
  });

  test('a read of an undeclared input warns', () => {
    const { warnings } = validate(line([respond('b', '{{ start.x }}')], { start: { inputs: {} } }));
    expect(warnings).toEqual(['blocks[0].params.data: the input "x" is not declared, so nothing checks it.']);
  });
});

describe('a member that the output of a block never has', () => {
  test('a member that the output of a block never has is a fault that names the members that the output has', () => {
    const { faults } = validate(line([http('call'), respond('done', '{{ call.body.x }}')]));
    expect(faults).toEqual([
      {
        path: 'blocks[1].params.data',
        code: 'unknown_member',
        message: '"call" has no member "body". It has status, headers, data, encoding, error.',
        blockId: 'done',
      },
    ]);
  });

  test('a member that the output of a block never has is no fault when the output may have any members', () => {
    const code = { id: 'code', type: 'function', params: { code: 'return input' } };
    expect(validate(line([code, respond('done', '{{ code.anything }}')])).faults).toEqual([]);
  });
});
