import type { Json, JsonObject } from '#libs/platform/json/json';
import { NotMapped } from '../report.ts';
import type { SimContext, SimTaken } from './sim-context.ts';
import { toRows } from './sim-fields.ts';
import { isOn, parseNumber } from '../values.ts';

export function convertKnowledge(context: SimContext): SimTaken {
  const { fields } = context.block;
  const operation = context.plain('operation') || 'search';
  const base = () =>
    context.thing('knowledgeBase', 'knowledgeBaseId', 'knowledgeBaseSelector', 'manualKnowledgeBaseId');
  if (operation === 'search') {
    if (
      context.plain('searchFolder', 'manualSearchFolder') !== '' ||
      toRows(fields['tagFilters']).some(({ tagName }) => tagName)
    )
      throw new NotMapped(
        'It searches in a folder or by tags. Write a knowledge block with knowledgeBases and tagFilters.',
      );
    const topK = parseNumber(fields['topK']);
    if (isOn(fields['rerankerEnabled']))
      context.change('Its reranker is left out; a search here ranks by words and meaning together.');
    return taken('knowledge', {
      operation: 'search',
      knowledgeBases: [base()],
      query: context.expressions.text(fields['query']),
      ...(topK === undefined ? {} : { topK }),
    });
  }
  if (operation !== 'create_document')
    throw new NotMapped(
      `Its operation is ${operation}; a knowledge block searches and adds. Use the API for others.`,
    );
  const filename = context.plain('name');
  return taken('knowledge', {
    operation: 'add',
    knowledgeBase: base(),
    text: context.expressions.text(fields['content']),
    ...(filename ? { filename: context.expressions.text(filename) } : {}),
  });
}

/** The operations of tables, each with the fields that it takes. */
const operations: Record<string, { operation: string; takes: string[] }> = {
  query_rows: { operation: 'query', takes: ['filter', 'sort', 'limit', 'offset'] },
  get_row: { operation: 'get', takes: ['rowId'] },
  insert_row: { operation: 'insert', takes: ['data'] },
  batch_insert_rows: { operation: 'insert', takes: ['rows'] },
  upsert_row: { operation: 'upsert', takes: ['data'] },
  update_row: { operation: 'update', takes: ['rowId', 'data'] },
  update_rows_by_filter: { operation: 'update', takes: ['filter', 'data'] },
  delete_row: { operation: 'delete', takes: ['rowId'] },
  delete_rows_by_filter: { operation: 'delete', takes: ['filter'] },
};

export function convertTable(context: SimContext): SimTaken {
  const { fields } = context.block;
  const name = context.plain('operation') || 'query_rows';
  const known = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!known)
    throw new NotMapped(
      `Its operation is ${name}, which a table block does not have. Use the API of tables.`,
    );
  const built = ['filterBuilder', 'sortBuilder', 'bulkFilterBuilder'];
  if (built.some((field) => toRows(fields[field]).length > 0))
    throw new NotMapped(
      'Its filter or order was put together by hand. Write a table block with filter and sort.',
    );
  const given = known.takes.flatMap((field): [string, Json][] => {
    const value = fields[field];
    return value === undefined || value === null || value === ''
      ? []
      : [[field, toValue(context, field, value)]];
  });
  const isBulk = name.endsWith('_by_filter');
  if (isBulk && !given.some(([field]) => field === 'filter'))
    throw new NotMapped('It has no filter; a table block changes all rows only when all is true.');
  if (isBulk && fields['limit'])
    context.change('Its limit is left out: it changes every row that the filter finds.');
  const table = context.thing('table', 'tableId', 'tableSelector', 'manualTableId');
  return taken('table', { operation: known.operation, table, ...Object.fromEntries(given) });
}

function toValue({ expressions }: SimContext, field: string, value: Json): Json {
  if (field === 'limit' || field === 'offset') return parseNumber(value) ?? expressions.template(value);
  return field === 'rowId' ? expressions.template(value) : expressions.json(value);
}

const taken = (type: string, params: JsonObject): SimTaken => ({ block: { type, params } });
