import type { JsonObject } from '#libs/platform/json/json';
import { template, writePath } from './cel-text.ts';
import type { N8nContext, ConvertedNode } from './n8n-context.ts';
import { NotMapped } from './report.ts';
import { requireSandboxed } from './sandbox.ts';
import { textOf } from './values.ts';

/** Things that only n8n has, each with advice. */
const missing: [RegExp, string][] = [
  [/\$getWorkflowStaticData|getWorkflowStaticData/, 'It keeps data from run to run; use a table block.'],
  [
    /\$(now|today)\b|\bDateTime\b|\bluxon\b/,
    'It uses the dates of n8n; give it {{ run.startTime }} and use Date.',
  ],
  [/\$(env|vars|secrets)\b|\bprocess\./, 'It reads the environment; give it a secret by its input.'],
  [
    /\$(execution|workflow|prevNode|binary|itemIndex|runIndex|jmespath)\b|\.binary\b/,
    'It reads what only n8n has.',
  ],
];

const prelude = `const $json = input.json;
const item = { json: $json };
const items = [item];
const $input = { item, all: () => items, first: () => item, last: () => item };
const $ = (name) => { const item = { json: input.nodes[name] }; return { item, all: () => [item], first: () => item, last: () => item }; };
const $node = Object.fromEntries(Object.entries(input.nodes).map(([name, json]) => [name, { json }]));
const $items = (name) => (name === undefined ? items : [{ json: input.nodes[name] }]);
const unwrap = (one) => (one !== null && typeof one === 'object' && !Array.isArray(one) && one.json !== undefined ? one.json : one);`;

/** The node Code, and Function and Function Item before it. */
export function convertCode(context: N8nContext): ConvertedNode {
  const { parameters, type } = context.node;
  const language = textOf(parameters['language'], 'javaScript');
  if (language !== 'javaScript') throw new NotMapped(`It is written in ${language}; write it in JavaScript.`);
  const code = textOf(parameters['jsCode'] ?? parameters['functionCode']);
  requireSandboxed(code, missing);
  const nodes = Object.fromEntries(namesIn(code).map((name) => [name, nodeOf(context, name)]));
  if (/\.all\(\)|\bitems\b/.test(code))
    context.change('It saw all items in n8n; here it sees the one item that comes in, which may be a list.');
  const returned = type === 'functionItem' ? `${code}\nreturn item;` : code;
  return {
    block: {
      type: 'function',
      params: {
        code: `${prelude}
const result = (() => {
${returned}
})();
return Array.isArray(result) ? (result.length === 1 ? unwrap(result[0]) : result.map(unwrap)) : unwrap(result);`,
        input: { json: template(writePath(context.expressions.incoming())), nodes } satisfies JsonObject,
      },
    },
  };
}

function namesIn(code: string): string[] {
  const found = code.matchAll(
    /\$(?:items)?\(["'`]([^"'`]{1,200})["'`]\)|\$node\[["'`]([^"'`]{1,200})["'`]\]/g,
  );
  return [...new Set([...found].map((match) => match[1] ?? match[2] ?? ''))];
}

function nodeOf({ around }: N8nContext, name: string): string {
  const place = around.outputOf(name);
  if (place === undefined) throw new NotMapped(`It reads the node "${name}", which does not exist.`);
  if (typeof place === 'string') throw new NotMapped(`It reads "${name}": ${place}`);
  return template(writePath(place));
}
