import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { validate } from '#libs/language/definition/checks/validate';
import { Invalid } from '#libs/platform/errors/errors';
import { convertFile } from './import-file.ts';

const file = JSON.parse(readFileSync('libs/import/support/n8n-orders.json', 'utf8'));
const nothing = { workflows: new Map<string, string>() };
const convert = (given: unknown) => convertFile('n8n', given, nothing);

const lineOf = (name: string) => convert(file).report.blocks.find((one) => one.name === name);

/** A webhook and one node behind it. */
const behind = (node: object) => ({
  nodes: [
    { name: 'In', type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { httpMethod: 'POST' } },
    { name: 'It', ...node },
  ],
  connections: { In: { main: [[{ node: 'It', type: 'main', index: 0 }]] } },
});
const setTo = (value: string) =>
  behind({
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    parameters: { assignments: { assignments: [{ name: 'x', value, type: 'string' }] } },
  });
const valueOf = (value: string) => {
  const [block] = Object(convert(setTo(value)).definition)['blocks'];
  return block.type === 'placeholder' ? block.params.todo : block.params.set.x;
};

describe('a file of n8n', () => {
  test('is reported node by node, each once', () => {
    const { report } = convert(file);
    const names = file.nodes.map(({ name }: { name: string }) => name);
    expect(report.blocks.map(({ name }) => name)).toEqual(names);
    expect(report.summary).toEqual({ kept: 7, changed: 27, refused: 7 });
  });

  test('becomes a definition whose only faults are placeholders, each naming its original', () => {
    const { definition, report } = convert(file);
    const { faults } = validate(definition);
    const refused = report.blocks.filter(({ outcome }) => outcome === 'refused');
    expect(faults.map(({ code, blockId }) => `${code} ${blockId}`).toSorted()).toEqual(
      refused.map(({ becomes }) => `placeholder ${becomes}`).toSorted(),
    );
    expect(faults.find(({ blockId }) => blockId === 'tell_slack')?.message).toContain(
      'It stands for "Tell Slack", slack, of n8n',
    );
  });

  test('gives advice for each refused node', () => {
    expect(lineOf('Python')?.note).toContain('write it in JavaScript');
    expect(lineOf('Asynchronous')?.note).toContain('asynchronous');
    expect(lineOf('Strange date')?.note).toContain('$now.plus(');
    expect(lineOf('Stock of the shop')?.note).toContain('runs the workflow "Stock"');
  });

  test('runs the workflow of the workspace with the same name', () => {
    const workflows = new Map([['Stock', 'wf_01900000000070008000000000000000']]);
    const { report } = convertFile('n8n', file, { workflows });
    expect(report.blocks.find(({ name }) => name === 'Stock of the shop')?.outcome).toBe('kept');
  });

  test('asks for the secrets, workflows and triggers that it does not hold', () => {
    const { needs } = convert(file).report;
    expect(needs.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'trigger Order received',
      'trigger Every night',
      'secret REPORTS_TOKEN',
      'workflow Stock',
    ]);
  });

  test('with several triggers begins by the trigger that an input names', () => {
    expect(convert(file).definition).toMatchObject({
      start: { inputs: { trigger: { enum: ['order_received', 'every_night'], default: 'order_received' } } },
    });
  });

  test.each([
    ['={{ $json.body.a }}', '{{ start.a }}'],
    ['={{ $json["body"]["a b"] }}', '{{ start["a b"] }}'],
    ['=Dear {{ $json.body.name }}!', 'Dear {{ start.name }}!'],
    ["={{ $('In').item.json.body.a }}", '{{ start.a }}'],
    ["={{ $('In').first().json.body.a[0].b }}", '{{ start.a[0].b }}'],
    ['={{ $node["In"].json.body.a }}', '{{ start.a }}'],
    ['={{ $input.item.json.body.a }}', '{{ start.a }}'],
    ['={{ $input.first().json.body.a }}', '{{ start.a }}'],
    ['={{ $now.toISO() }}', '{{ run.startTime }}'],
    ['={{ "a" + $json.body.n }}', '{{ ("a" + string(start.?n.orValue(null))) }}'],
    ['={{ `n: ${$json.body.n}` }}', '{{ ("n: " + string(start.?n.orValue(null)) + "") }}'],
    [
      '={{ $json.body.n > 1 ? "many" : "one" }}',
      '{{ ((start.?n.orValue(null) > 1) ? dyn("many") : dyn("one")) }}',
    ],
    ['={{ $json.body.rows.map(i => i.id) }}', '{{ start.?rows.orValue(null).map(i, i.?id.orValue(null)) }}'],
    ['={{ 15 / 100 * $json.body.net }}', '{{ ((15.0 / 100) * start.?net.orValue(null)) }}'],
    ['={{ $json.body.net / 4 }}', '{{ (start.?net.orValue(null) / 4) }}'],
    ['={{ $json.body.rows.length / 2 }}', '{{ (double(size(start.?rows.orValue(null))) / 2) }}'],
    ['={{ (1 + 2) / 4 }}', '{{ (double((1 + 2)) / 4) }}'],
    ['={{ 1.5 / 4 }}', '{{ (1.5 / 4) }}'],
    ['{{ not an expression }}', '{{ "{{" }} not an expression }}'],
  ])('%s is read as %s', (given, wanted) => {
    expect(valueOf(given)).toBe(wanted);
  });

  test.each([
    '={{ $json.headers.x }}',
    '={{ $jmespath($json, "a") }}',
    '={{ $json.body.a.hash() }}',
    "={{ $('Nobody').item.json.a }}",
    '={{ $json.body. }}',
  ])('with %s has a placeholder that names the expression', (given) => {
    expect(valueOf(given)).toContain(`The expression "${given.slice(3, -2).trim()}" has no counterpart`);
  });

  test.each<[string, unknown, string]>([
    ['no object', [], ''],
    ['no nodes', { connections: {} }, 'nodes'],
    ['an empty list of nodes', { nodes: [] }, 'nodes'],
    ['a node without a name', { nodes: [{ type: 'x' }] }, 'nodes[0].name'],
    [
      'two nodes of one name',
      {
        nodes: [
          { name: 'a', type: 'x' },
          { name: 'a', type: 'x' },
        ],
      },
      'nodes[1].name',
    ],
    [
      'a connection from nowhere',
      { nodes: [{ name: 'a', type: 'x' }], connections: { b: {} } },
      'connections.b',
    ],
    ['nothing but a trigger', { nodes: [{ name: 'a', type: 'n8n-nodes-base.webhook' }] }, ''],
    [
      'a circle outside of a loop',
      {
        nodes: ['a', 'b'].map((name) => ({ name, type: 'n8n-nodes-base.noOp' })),
        connections: { a: { main: [[{ node: 'b' }]] }, b: { main: [[{ node: 'a' }]] } },
      },
      'connections',
    ],
  ])('with %s is refused by the name of the field', (_, given, path) => {
    const refusal = (() => {
      try {
        return convert(given);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(Invalid);
    expect(Object(refusal).details[0].path).toBe(path);
  });

  test('in any shape has each of its nodes in the report once, and no fault except placeholders', () => {
    const types = [
      'set',
      'if',
      'code',
      'noOp',
      'merge',
      'wait',
      'slack',
      'splitInBatches',
      'httpRequest',
      'stickyNote',
    ];
    const node = fc.record({ type: fc.constantFrom(...types), to: fc.array(fc.nat(9), { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 10 }), (given) => {
        const name = (n: number) => `Node ${n}`;
        const nodes = given.map(({ type }, n) => ({
          name: name(n),
          type: `n8n-nodes-base.${type}`,
          typeVersion: 3,
          parameters: {},
        }));
        const ways = given.map(({ to }, n): [string, object] => [
          name(n),
          // Ways lead forward, but for those that end a pass.
          { main: [to.filter((one) => one > n && one < given.length).map((one) => ({ node: name(one) }))] },
        ]);
        const all = [{ name: 'In', type: 'n8n-nodes-base.manualTrigger' }, ...nodes];
        const connections = { ...Object.fromEntries(ways), In: { main: [[{ node: name(0) }]] } };
        if (given[0]?.type === 'stickyNote') return;
        const { report, definition } = convert({ nodes: all, connections });
        expect(report.blocks.map((one) => one.name)).toEqual(all.map((one) => one.name));
        expect(validate(definition).faults.filter(({ code }) => code !== 'placeholder')).toEqual([]);
      }),
    );
  });
});
