import { NotUnderstood } from '../javascript.ts';
import type { N8nContext, ConvertedNode } from './context.ts';
import { eachItem, firstScope, itemsCode } from './items.ts';
import { NotMapped } from '../report.ts';
import { requireSandboxed } from '../sandbox.ts';
import { toText } from '../values.ts';

/** Things that only n8n has, each with advice. */
const missing: [RegExp, string][] = [
  [/\$getWorkflowStaticData|getWorkflowStaticData/, 'It keeps data from run to run; use a table block.'],
  [/\bluxon\b/, 'It uses the dates of n8n; give it {{ run.startTime }} and use Date.'],
  [/\$(env|vars|secrets)\b|\bprocess\./, 'It reads the environment; give it a secret by its input.'],
  [
    /\$(execution|workflow|prevNode|binary|itemIndex|runIndex|jmespath)\b|\.binary\b/,
    'It reads what only n8n has.',
  ],
];

/** Takes an item out of what code returns: an item with its `json`, or the value alone. */
const unwrap = `const itemOf = (one) => (one !== null && typeof one === 'object' && !Array.isArray(one) && one.json !== undefined ? { json: one.json } : { json: one });
`;

/** The node Code, and Function and Function Item before it. */
export function convertCode(context: N8nContext): ConvertedNode {
  const { parameters, type } = context.node;
  const language = toText(parameters['language'], 'javaScript');
  if (language !== 'javaScript') throw new NotMapped(`It is written in ${language}; write it in JavaScript.`);
  const written = toText(parameters['jsCode'] ?? parameters['functionCode']);
  requireSandboxed(written, missing);
  const { script } = context.expressions;
  let code: string;
  try {
    code = script.code(written);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    throw new NotMapped(`Its code cannot run here: ${error.message}.`);
  }
  script.need('itemOf', unwrap);
  const goesThrough = type === 'functionItem' || parameters['mode'] === 'runOnceForEachItem';
  if (goesThrough) {
    // The code of a Function Item changes its item, and it declares none.
    const [parameter, argument] =
      type === 'functionItem' ? ['item', 'JSON.parse(JSON.stringify($json))'] : ['', ''];
    return eachItem(
      context,
      `const result = ((${parameter}) => {
${code}
})(${argument});
return result === null || result === undefined ? [] : [itemOf(result)];`,
    );
  }
  const all = `${itemsCode(context.node)}${firstScope}const result = (() => {
${code}
})();
return giveItems((Array.isArray(result) ? result : result === null || result === undefined ? [] : [result]).map(itemOf));`;
  return { block: script.block(all) };
}
