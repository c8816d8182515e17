import { parseNumbers, parseJsonObject } from './plans.ts';

/** The price of a million tokens of a model, for input and for output. */
export interface ModelPrice {
  input: number;
  output: number;
}

/** The prices of models by name. `*` is for all models without a price of their own. */
export type ModelPrices = Record<string, ModelPrice>;

/** The price of one call, by the type of its block. */
export type CallPrices = Record<string, number>;

/** The types of blocks whose calls may have a price: all effect blocks except those that call models. */
export const pricedBlocks = ['http', 'webhook', 'mcp', 'function', 'table', 'knowledge'];

const price = { min: 0, max: 1_000_000, fraction: true };

/** Reads a JSON object such as `{"gpt-4o":{"input":2.5,"output":10},"*":{"input":1,"output":1}}`. */
export function parseModelPrices(text: string): ModelPrices {
  const entries = Object.entries(parseJsonObject('MODEL_PRICES', text)).map(([model, given]) => {
    const { input = 0, output = 0 } = parseNumbers('MODEL_PRICES', model, given, {
      input: price,
      output: price,
    });
    return [model, { input, output }];
  });
  return Object.fromEntries(entries) as ModelPrices;
}

/** Reads a JSON object such as `{"http":0.0001}`. */
export function parseCallPrices(text: string): CallPrices {
  const table = parseJsonObject('CALL_PRICES', text);
  const bounds = Object.fromEntries(pricedBlocks.map((type) => [type, price]));
  return parseNumbers('CALL_PRICES', 'the object', table, bounds) as CallPrices;
}
