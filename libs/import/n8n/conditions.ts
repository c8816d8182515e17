import { isObject, objectOf } from '#libs/platform/json/json';
import type { ConvertedNode, N8nContext } from './context.ts';
import { itemScope, itemsCode } from './items.ts';
import { olderTest, buildTest } from './tests.ts';
import { NotMapped } from '../report.ts';
import { toList, parseNumber, toText } from '../values.ts';

export function convertIf(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const test = buildTest(objectOf(parameters['conditions']), parameters['combineOperation'], context);
  const values = context.expressions.block(
    splitBy(
      context,
      test,
      `if (yes.length > 0 && no.length > 0) throw new Error(yes.length + ' items take one way and ' + no.length + ' the other: put a loop around this block.');
return { yes: yes.length > 0 };`,
    ),
  );
  return {
    block: { type: 'condition', cases: [{ port: 'yes', when: `${values}.yes` }] },
    out: context.expressions.incoming(),
    ports: [['yes'], ['else']],
  };
}

export function convertFilter(context: N8nContext): ConvertedNode {
  context.change('It is a condition: what does not pass takes no way on.');
  const { parameters } = context.node;
  const combine = parameters['combineConditions'] ?? parameters['combineOperation'];
  const test = buildTest(objectOf(parameters['conditions']), combine, context);
  const values = context.expressions.block(
    splitBy(context, test, 'return { yes: yes.length > 0, items: giveItems(yes) };'),
  );
  return {
    block: { type: 'condition', cases: [{ port: 'yes', when: `${values}.yes` }] },
    out: { root: values, steps: ['items'] },
    ports: [['yes']],
  };
}

/** Code that puts the items into the lists `yes` and `no`. */
function splitBy(context: N8nContext, test: string, then: string): string {
  return `${itemsCode(context.node)}const [yes, no] = [[], []];
items.forEach((item, $itemIndex) => {
${itemScope}
(${test} ? yes : no).push(item);
});
${then}`;
}

export function convertSwitch(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const { expressions } = context;
  if (toText(parameters['mode'], 'rules') !== 'rules') return switchByNumber(context);
  const options = objectOf(parameters['options']);
  if (options['allMatchingOutputs'] === true)
    throw new NotMapped('It takes every way that matches; write a condition for each way, side by side.');
  const rules = objectOf(parameters['rules']);
  const newer = toList(rules['values'] ?? rules['rules']).filter(
    (one) => isObject(one) && isObject(one['conditions']),
  );
  const older = newer.length > 0 ? [] : toList(rules['rules']).filter(isObject);
  const ports: string[][] = [];
  const tests = [...newer, ...older].filter(isObject).map((rule, i) => {
    // A rule of version 1 names its output, or leads to the first.
    const output = context.node.version === 1 ? (parseNumber(rule['output']) ?? 0) : i;
    const port = `way_${i}`;
    (ports[output] ??= []).push(port);
    const kind = toText(parameters['dataType'], 'number');
    return isObject(rule['conditions'])
      ? buildTest(objectOf(rule['conditions']), undefined, context)
      : olderTest(
          toText(rule['operation'], kind === 'number' ? 'smaller' : kind === 'dateTime' ? 'after' : 'equal'),
          kind,
          [parameters['value1'], rule['value2']],
          context,
        );
  });
  if (tests.length === 0) throw new NotMapped('It has no rule.');
  // Calculates no rule behind the first that matches, as a wrong type there does no harm in n8n.
  const found = expressions.computed(
    `[${tests.map((one) => `() => ${one}`).join(', ')}].findIndex((test) => test())`,
  );
  const cases = tests.map((_, i) => ({ port: `way_${i}`, when: `${found} == ${i}` }));
  const fallback = parseNumber(options['fallbackOutput'] ?? parameters['fallbackOutput']);
  if (options['fallbackOutput'] === 'extra') ports[cases.length] = ['else'];
  else if (fallback !== undefined && fallback >= 0) (ports[fallback] ??= []).push('else');
  return { block: { type: 'condition', cases }, out: expressions.incoming(), ports };
}

/** A Switch that calculates the number of its output. */
function switchByNumber({ node: { parameters }, expressions }: N8nContext): ConvertedNode {
  const count = parseNumber(parameters['numberOutputs'] ?? parameters['outputsAmount']) ?? 4;
  const value = expressions.javascript(parameters['output'] ?? 0);
  const number = expressions.computed(
    `((value) => { if (!(value >= 0 && value < ${count})) throw new Error('There is no output ' + value + '.'); return Number(value); })(${value})`,
  );
  const ports = Array.from({ length: count }, (_, i) => [`way_${i}`]);
  const cases = ports.map(([port = ''], i) => ({ port, when: `${number} == ${i}` }));
  return { block: { type: 'condition', cases }, out: expressions.incoming(), ports };
}
