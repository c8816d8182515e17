import { objectOf } from '#libs/platform/json/json';
import type { ServiceApi, ServiceNode } from './service.ts';
import { toList, toText } from '../../values.ts';

const airtableApi = 'https://api.airtable.com/v0/';
const baseId = /(app[A-Za-z0-9]{14,})/;
const tableId = /(tbl[A-Za-z0-9]{14,})/;

const getTable = (node: ServiceNode) =>
  `${airtableApi}${node.part('base', baseId)}/${node.part('table', tableId)}`;

/** The answer as n8n gives a record: until version 2.2 its fields lie beside its id. */
const toRecord = (node: ServiceNode, record: string) =>
  node.context.node.version >= 2.2
    ? record
    : `(({ fields, ...others }) => ({ ...others, ...fields }))(${record})`;

const columnReads = {
  base: null,
  table: null,
  columns: null,
  'options.typecast': null,
  'options.ignoreFields': null,
};

/** The fields that are written, in JavaScript, with the columns by which the record is found. */
function getFields(node: ServiceNode): { code: string; match: string[] } {
  const columns = objectOf(node.raw('columns'));
  const isAuto = toText(columns['mappingMode'], 'defineBelow') === 'autoMapInputData';
  if (!isAuto && Object.keys(objectOf(columns['value'])).length === 0) node.refuse('It says no values.');
  const ignored = node.text('options.ignoreFields');
  const fields = node.context.expressions.javascript(isAuto ? '={{ $json }}' : (columns['value'] ?? {}));
  const names = JSON.stringify(ignored.split(',').map((one) => one.trim()));
  return {
    code:
      isAuto && ignored !== ''
        ? `Object.fromEntries(Object.entries(${fields}).filter(([name]) => !${names}.includes(name)))`
        : fields,
    match: toList(columns['matchingColumns']).map((one) => toText(one)),
  };
}

const isCast = (node: ServiceNode) => node.isOn('options.typecast');

/** Fields of a record without what the API of Airtable does not take. */
const withoutId = (code: string) => `(({ id, ...fields }) => fields)(${code})`;

export const airtable: ServiceApi = {
  name: 'Airtable',
  resource: 'record',
  operation: { record: 'get', base: 'getMany' },
  operations: {
    'record get': {
      reads: { base: null, table: null, id: null },
      call: (node) => ({ url: `${getTable(node)}/${node.part('id')}` }),
      answer: (node) => toRecord(node, 'data'),
    },
    'record search': {
      reads: {
        base: null,
        table: null,
        filterByFormula: null,
        returnAll: true,
        limit: 100,
        sort: null,
        'options.fields': null,
        'options.view': null,
      },
      call: (node) => {
        const fields = node.raw('options.fields');
        const names = (Array.isArray(fields) ? fields.map((one) => toText(one)) : toText(fields).split(','))
          .map((one) => one.trim())
          .filter(Boolean);
        if (names.some((one) => one.startsWith('='))) node.refuse('It calculates the names of its fields.');
        const sorts = toList(objectOf(node.raw('sort'))['property']).map(objectOf);
        const query = [
          ...names.map((name) => `fields[]=${encodeURIComponent(name)}`),
          ...sorts.flatMap(({ field, direction }, i) => [
            `sort[${i}][field]=${encodeURIComponent(toText(field))}`,
            `sort[${i}][direction]=${toText(direction, 'asc')}`,
          ]),
        ];
        return {
          url: `${getTable(node)}${query.length > 0 ? `?${query.join('&')}` : ''}`,
          query: {
            ...node.some({ filterByFormula: 'filterByFormula', view: 'options.view' }),
            maxRecords: node.limit(100),
          },
        };
      },
      answer: (node) => `(data.records ?? []).map((one) => ${toRecord(node, 'one')})`,
      several: true,
    },
    'record create': {
      reads: columnReads,
      call: (node) => ({
        method: 'POST',
        url: getTable(node),
        body: { typecast: isCast(node), fields: node.computed(withoutId(getFields(node).code)) },
      }),
    },
    'record update': {
      reads: { ...columnReads, 'options.updateAllMatches': null },
      call: (node) => {
        const { code, match } = getFields(node);
        if (!match.includes('id')) node.refuse('It finds its record by other columns than the id.');
        return {
          method: 'PATCH',
          url: `${getTable(node)}/${node.computed(`(${code}).id`)}`,
          body: { typecast: isCast(node), fields: node.computed(withoutId(code)) },
        };
      },
    },
    'record upsert': {
      reads: { ...columnReads, 'options.updateAllMatches': null },
      call: (node) => {
        const { code, match } = getFields(node);
        if (match.includes('id') || match.length === 0)
          node.refuse('It finds its record by the id, or makes it.');
        return {
          method: 'PATCH',
          url: getTable(node),
          body: {
            performUpsert: { fieldsToMergeOn: match },
            typecast: isCast(node),
            records: [{ fields: node.computed(code) }],
          },
        };
      },
      answer: () => 'data.records ?? []',
      differs: 'Where several records match, Airtable refuses the call; n8n changed the first.',
    },
    'record deleteRecord': {
      reads: { base: null, table: null, id: null },
      call: (node) => ({ method: 'DELETE', url: `${getTable(node)}/${node.part('id')}` }),
    },
    'base getSchema': {
      reads: { base: null },
      call: (node) => ({ url: `${airtableApi}meta/bases/${node.part('base', baseId)}/tables` }),
      answer: () => 'data.tables ?? []',
      several: true,
    },
  },
};

const getOlderTable = (node: ServiceNode) =>
  `${airtableApi}${node.part('application', baseId)}/${node.part('table', tableId)}`;
const olderReads = { application: null, table: null };

/** The node before version 2, whose records have their fields as a member. */
export const olderAirtable: ServiceApi = {
  name: 'Airtable',
  operation: 'read',
  operations: {
    read: {
      reads: { ...olderReads, id: null },
      call: (node) => ({ url: `${getOlderTable(node)}/${node.part('id')}` }),
    },
    append: {
      reads: { ...olderReads, addAllFields: true, fields: null, 'options.typecast': null },
      call: (node) => {
        const names = JSON.stringify(toList(node.raw('fields')).map((one) => toText(one)));
        const item = node.context.expressions.javascript('={{ $json }}');
        return {
          method: 'POST',
          url: getOlderTable(node),
          body: {
            typecast: isCast(node),
            fields: node.computed(
              node.isOn('addAllFields')
                ? withoutId(item)
                : `((item) => Object.fromEntries(${names}.map((name) => [name, item[name]])))(${item})`,
            ),
          },
        };
      },
    },
    list: {
      reads: {
        ...olderReads,
        returnAll: true,
        limit: 100,
        'additionalOptions.filterByFormula': null,
        'additionalOptions.view': null,
      },
      call: (node) => ({
        url: getOlderTable(node),
        query: {
          ...node.some({
            filterByFormula: 'additionalOptions.filterByFormula',
            view: 'additionalOptions.view',
          }),
          maxRecords: node.limit(100),
        },
      }),
      answer: () => 'data.records ?? []',
      several: true,
    },
  },
};

/** Conditions of Supabase as members of a query. */
function toFilters(node: ServiceNode): Record<string, string> {
  const type = toText(node.raw('filterType'), node.text('operation') === 'getAll' ? 'none' : 'manual');
  if (type !== 'manual' && type !== 'none') node.refuse('It writes its filter as text.');
  const conditions = toList(objectOf(node.raw('filters'))['conditions']).map(objectOf);
  if (conditions.length > 1 && toText(node.raw('matchType'), 'anyFilter') === 'anyFilter')
    node.refuse('It takes what any of several conditions finds.');
  const names = conditions.map(({ keyName }) => toText(keyName));
  if (new Set(names).size < names.length || names.some((name) => name.startsWith('=')))
    node.refuse('Its conditions ask for one column twice.');
  return Object.fromEntries(
    conditions.map(({ keyName, condition, keyValue = '' }): [string, string] => {
      const how = toText(condition);
      if (!/^(eq|neq|gt|gte|lt|lte|like|ilike|is)$/.test(how)) node.refuse(`Its condition is ${how}.`);
      return [toText(keyName), `${how}.${String(node.context.expressions.template(keyValue))}`];
    }),
  );
}

const supabaseRow = { tableId: null, dataToSend: 'defineBelow', inputsToIgnore: null, fieldsUi: null };

/** The members of a row; names of fields are put behind `prefix` where they are numbers. */
function toRow(node: ServiceNode, prefix = ''): string {
  if (node.text('dataToSend') !== 'defineBelow') {
    const ignored = JSON.stringify(
      node
        .text('inputsToIgnore')
        .split(',')
        .map((one) => one.trim()),
    );
    return node.computed(
      `Object.fromEntries(Object.entries(${node.context.expressions.javascript('={{ $json }}')}).filter(([name]) => !${ignored}.includes(name)))`,
    );
  }
  const fields = toList(objectOf(node.raw('fieldsUi'))['fieldValues']).map(objectOf);
  const members = fields.map(
    ({ fieldId = '', fieldValue = '' }) =>
      `[${JSON.stringify(prefix)} + ${node.context.expressions.javascript(fieldId)}]: ${node.context.expressions.javascript(fieldValue)}`,
  );
  return node.computed(`({ ${members.join(', ')} })`);
}

const getSupabaseTable = (node: ServiceNode) =>
  `https://YOUR_PROJECT.supabase.co/rest/v1/${node.part('tableId')}`;
const asked = { Prefer: 'return=representation' };

export const supabase: ServiceApi = {
  name: 'Supabase',
  resource: 'row',
  operation: 'create',
  headers: (secret) => ({ apikey: secret, Authorization: `Bearer ${secret}` }),
  secret: 'The service key of the project of Supabase. Write the address of the project into the block.',
  operations: {
    'row create': {
      reads: supabaseRow,
      call: (node) => ({ method: 'POST', url: getSupabaseTable(node), headers: asked, body: toRow(node) }),
      answer: () => 'data',
      differs: 'Write the address of your project in the place of YOUR_PROJECT.',
    },
    'row getAll': {
      reads: { tableId: null, returnAll: false, limit: 50, filterType: null, matchType: null, filters: null },
      call: (node) => ({
        url: getSupabaseTable(node),
        query: { select: '*', limit: node.limit(1000), ...toFilters(node) },
      }),
      answer: () => 'data',
      several: true,
      differs: 'Write the address of your project in the place of YOUR_PROJECT.',
    },
    'row get': {
      reads: { tableId: null, filters: null },
      call: (node) => {
        const conditions = toList(objectOf(node.raw('filters'))['conditions']).map(objectOf);
        return {
          url: getSupabaseTable(node),
          query: Object.fromEntries(
            conditions.map(({ keyName, keyValue = '' }) => [
              toText(keyName),
              `eq.${String(node.context.expressions.template(keyValue))}`,
            ]),
          ),
        };
      },
      answer: () => 'data',
      several: true,
      differs: 'Write the address of your project in the place of YOUR_PROJECT.',
    },
    'row update': {
      reads: { ...supabaseRow, filterType: null, matchType: null, filters: null },
      call: (node) => ({
        method: 'PATCH',
        url: getSupabaseTable(node),
        headers: asked,
        query: toFilters(node),
        body: toRow(node),
      }),
      answer: () => 'data',
      several: true,
      differs: 'Write the address of your project in the place of YOUR_PROJECT.',
    },
    'row delete': {
      reads: { tableId: null, filterType: null, matchType: null, filters: null },
      call: (node) => {
        const query = toFilters(node);
        if (Object.keys(query).length === 0) node.refuse('It deletes without a condition.');
        return { method: 'DELETE', url: getSupabaseTable(node), headers: asked, query };
      },
      answer: () => 'data',
      several: true,
      differs: 'Write the address of your project in the place of YOUR_PROJECT.',
    },
  },
};

const baserowApi = 'https://api.baserow.io/api/database/rows/table/';
const baserowReads = { ...supabaseRow, databaseId: null };
const baserowNote =
  'A token of a database of Baserow is sent, and its address is that of baserow.io. Its fields are called field_ and their number.';

/** A row as n8n writes it: by the numbers of its fields. Names of an item are looked up there, which is not done here. */
function toNumbered(node: ServiceNode): string {
  if (node.text('dataToSend') !== 'defineBelow') node.refuse('It takes the names of its item.');
  return toRow(node, 'field_');
}

export const baserow: ServiceApi = {
  name: 'Baserow',
  resource: 'row',
  operation: 'getAll',
  headers: (secret) => ({ Authorization: `Token ${secret}` }),
  secret: 'The token of a database of Baserow.',
  operations: {
    'row create': {
      reads: baserowReads,
      call: (node) => ({
        method: 'POST',
        url: `${baserowApi}${node.part('tableId')}/`,
        body: toNumbered(node),
      }),
      differs: baserowNote,
    },
    'row update': {
      reads: { ...baserowReads, rowId: null },
      call: (node) => ({
        method: 'PATCH',
        url: `${baserowApi}${node.part('tableId')}/${node.part('rowId')}/`,
        body: toNumbered(node),
      }),
      differs: baserowNote,
    },
    'row get': {
      reads: { databaseId: null, tableId: null, rowId: null },
      call: (node) => ({ url: `${baserowApi}${node.part('tableId')}/${node.part('rowId')}/` }),
      differs: baserowNote,
    },
  },
};
