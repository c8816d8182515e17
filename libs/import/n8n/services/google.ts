// One operation of a service a member: it is long because Google has many services.
import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { itemScope, itemsCode } from '../items.ts';
import type { ServiceApi, ServiceNode, ServiceOperation } from './service.ts';
import { since } from '../table.ts';
import { toList, parseNumber, toText } from '../../values.ts';

const sheetsApi = 'https://sheets.googleapis.com/v4/spreadsheets/';
const gmailApi = 'https://gmail.googleapis.com/gmail/v1/users/me/';
const driveApi = 'https://www.googleapis.com/drive/v3/files';
const token = 'An OAuth access token of Google with the scopes of the node. It ends after an hour: renew it.';

const documentId = /\/d\/([-\w]{15,})/;

/** The name of a sheet. Its number says nothing to the API of values. */
function getSheetName(node: ServiceNode): string {
  const sheet = node.raw('sheetName');
  if (!isObject(sheet))
    return typeof sheet === 'string' && sheet !== ''
      ? toLiteral(node, sheet)
      : node.refuse('It names no sheet.');
  if (toText(sheet['mode']) === 'name') return toLiteral(node, toText(sheet['value']));
  const name = toText(sheet['cachedResultName']);
  if (name === '') {
    node.context.change('It names its sheet by a number alone: write its name in the place of YOUR_SHEET.');
    return 'YOUR_SHEET';
  }
  node.context.change(`Its sheet is called by the name that it had, "${name}".`);
  return name;
}

function toLiteral(node: ServiceNode, name: string): string {
  if (name.startsWith('=')) return node.refuse('It calculates the name of its sheet.');
  return name;
}

/** The address of the values of a sheet, or of cells of it. */
const getValuesUrl = (node: ServiceNode, cells = '') =>
  `${sheetsApi}${node.part('documentId', documentId)}/values/${encodeURIComponent(`'${getSheetName(node).replaceAll("'", "''")}'${cells}`)}`;

const sheetReads = { documentId: null, sheetName: null };
const columnReads = {
  ...sheetReads,
  columns: null,
  'options.cellFormat': null,
  'options.locationDefine': null,
  'options.handlingExtraData': null,
  'options.useAppend': null,
};

/** What the items write, in JavaScript: an object for each, by the names of the columns. */
function getColumns(node: ServiceNode): { code: string; isAuto: boolean; match: string } {
  const columns = objectOf(node.raw('columns'));
  const isAuto = toText(columns['mappingMode'], 'defineBelow') === 'autoMapInputData';
  const value = objectOf(columns['value']);
  if (!isAuto && Object.keys(value).length === 0) node.refuse('It says no values.');
  const [match] = toList(columns['matchingColumns']);
  return {
    code: isAuto
      ? `(({ row_number, ...others }) => others)($json)`
      : node.context.expressions.javascript(value),
    isAuto,
    match: toText(match),
  };
}

const getHeaderRow = (node: ServiceNode) =>
  parseNumber(objectOf(objectOf(node.raw('options.locationDefine'))['values'])['headerRow']) ?? 1;

/** Code that declares `items`, `header` and `rows`; a row that has another column is an error, unless the node ignores it. */
function rowsCode(node: ServiceNode): string {
  const { code, isAuto, match } = getColumns(node);
  const strict = toText(node.raw('options.handlingExtraData')) !== 'ignoreIt';
  return `${itemsCode(node.context.node)}const values = input.data.values ?? [];
const header = values[${getHeaderRow(node) - 1}];
if (!header) throw new Error('The sheet has no row with the names of its columns.');
const rows = items.map((item, $itemIndex) => {
${itemScope}
return ${match === 'row_number' && isAuto ? '$json' : code};
});
const cell = (value) => (value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : value);
${strict ? `for (const row of rows) for (const name of Object.keys(row)) if (name !== 'row_number' && !header.includes(name)) throw new Error('The sheet has no column "' + name + '". Add it there.');` : ''}
`;
}

const getFormat = (node: ServiceNode) =>
  node.text('options.cellFormat') || (node.context.node.version < 4.1 ? 'RAW' : 'USER_ENTERED');

/** An operation that writes the cells of rows which a column finds; with `appends`, also rows that are not there. */
const toUpdate = (appends: boolean): ServiceOperation => ({
  reads: columnReads,
  first: (node) => {
    const { match } = getColumns(node);
    if (match === '') node.refuse('It names no column by which it finds its rows.');
    const range = `'${getSheetName(node).replaceAll("'", "''")}'!`;
    const key = JSON.stringify(match);
    const start =
      parseNumber(objectOf(objectOf(node.raw('options.locationDefine'))['values'])['firstDataRow']) ??
      getHeaderRow(node) + 1;
    return {
      call: { url: getValuesUrl(node), query: { valueRenderOption: 'UNFORMATTED_VALUE' } },
      code: `${rowsCode(node)}const letters = (n) => (n < 26 ? '' : letters(Math.floor(n / 26) - 1)) + String.fromCharCode(65 + (n % 26));
const key = header.indexOf(${key});
let end = values.length;
const data = rows.flatMap((row) => {
  const wanted = row[${key}];
  let at = ${match === 'row_number' ? 'Number(wanted) - 1' : `wanted === undefined || wanted === null ? -1 : values.findIndex((one, i) => i >= ${start - 1} && String(one[key]) === String(wanted))`};
  const isNew = !(at >= 0);
  if (isNew) ${appends ? '{ at = end; end += 1; }' : 'return [];'}
  return header.flatMap((name, i) => ((name === ${key} && !isNew) || row[name] === undefined || row[name] === null ? [] : [{ range: ${JSON.stringify(range)} + letters(i) + (at + 1), values: [[cell(row[name])]] }]));
});
return { body: { valueInputOption: ${JSON.stringify(getFormat(node))}, data }, rows: giveItems(rows.map((json) => ({ json }))) };`,
    };
  },
  call: (node) => ({
    method: 'POST',
    url: `${sheetsApi}${node.part('documentId', documentId)}/values:batchUpdate`,
  }),
  givesRows: true,
  takesAll: true,
  differs: 'A field without a column is an error, where n8n added the column.',
});

const sheetOperations: Record<string, ServiceOperation> = {
  'sheet read': {
    reads: {
      ...sheetReads,
      filtersUI: null,
      combineFilters: since([3, 'OR'], [4.3, 'AND']),
      'options.returnAllMatches': null,
      'options.returnFirstMatch': null,
      'options.outputFormatting': null,
      'options.dataLocationOnSheet': null,
    },
    call: (node) => {
      const where = objectOf(objectOf(node.raw('options.dataLocationOnSheet'))['values']);
      const cells = toText(where['rangeDefinition']) === 'specifyRangeA1' ? `!${toText(where['range'])}` : '';
      const format = objectOf(objectOf(node.raw('options.outputFormatting'))['values']);
      return {
        url: getValuesUrl(node, cells),
        query: {
          valueRenderOption: toText(format['general'], 'UNFORMATTED_VALUE'),
          dateTimeRenderOption: toText(format['date'], 'FORMATTED_STRING'),
        },
      };
    },
    answer: (node) => {
      const where = objectOf(objectOf(node.raw('options.dataLocationOnSheet'))['values']);
      const isRange = toText(where['rangeDefinition']) === 'specifyRange';
      const header = isRange ? (parseNumber(where['headerRow']) ?? 1) : 1;
      const first = isRange ? (parseNumber(where['firstDataRow']) ?? 2) : 2;
      const { version } = node.context.node;
      const isAll =
        version < 4.5
          ? node.text('options.returnAllMatches') === 'returnAllMatches'
          : !node.isOn('options.returnFirstMatch');
      const filters = toList(objectOf(node.raw('filtersUI'))['values']).filter(isObject);
      const rows = `((values) => {
  const header = values[${header - 1}] ?? [];
  return values.flatMap((row, i) => {
    if (i < ${first - 1} || row.every((one) => one === '' || one === null)) return [];
    return [{ row_number: i + 1, ...Object.fromEntries(Array.from({ length: Math.max(row.length, header.length) }, (_, n) => [header[n] || 'col_' + (n + 1), row[n] ?? ''])) }];
  });
})(data.values ?? [])`;
      if (filters.length === 0) return rows;
      const tests = filters.map(({ lookupColumn = '', lookupValue = '' }) => [
        toText(lookupColumn),
        node.computed(node.context.expressions.javascript(lookupValue)),
      ]);
      node.filters.push(...tests.map(([, value]) => value ?? ''));
      const test = tests
        .map(([column], i) => `String(row[${JSON.stringify(column)}]) === String(input.filters[${i}])`)
        .join(node.text('combineFilters') === 'OR' ? ' || ' : ' && ');
      return `((rows) => rows.filter((row) => ${test})${isAll ? '' : '.slice(0, 1)'})(${rows})`;
    },
    several: true,
  },
  'sheet append': {
    reads: columnReads,
    first: (node) => ({
      call: { url: getValuesUrl(node, `!${getHeaderRow(node)}:${getHeaderRow(node)}`) },
      code: `${rowsCode(node).replace(`values[${getHeaderRow(node) - 1}]`, 'values[0]')}return { body: { values: rows.map((row) => header.map((name) => cell(row[name]))) }, rows: giveItems(rows.map((json) => ({ json }))) };`,
    }),
    call: (node) => ({
      method: 'POST',
      url: `${getValuesUrl(node, `!A${getHeaderRow(node)}`)}:append`,
      query: { valueInputOption: getFormat(node), insertDataOption: 'INSERT_ROWS' },
    }),
    givesRows: true,
    takesAll: true,
    differs:
      'Google finds the end of the table to which it appends. A field without a column is an error, where n8n added the column.',
  },
  'sheet update': toUpdate(false),
  'sheet appendOrUpdate': toUpdate(true),
  'sheet clear': {
    reads: { ...sheetReads, clear: 'wholeSheet', keepFirstRow: false, range: 'A:F' },
    call: (node) => {
      const what = node.text('clear');
      if (what !== 'wholeSheet' && what !== 'specificRange') return node.refuse('It clears rows or columns.');
      const cells =
        what === 'wholeSheet' ? (node.isOn('keepFirstRow') ? '!A2:ZZZ' : '') : `!${node.text('range')}`;
      return { method: 'POST', url: `${getValuesUrl(node, cells)}:clear`, body: {} };
    },
  },
};

export const googleSheets: ServiceApi = {
  name: 'Google Sheets',
  resource: 'sheet',
  operation: 'read',
  operations: sheetOperations,
  secret: token,
};

const mailReads = {
  sendTo: null,
  subject: null,
  message: null,
  emailType: 'html',
  'options.ccList': null,
  'options.bccList': null,
  'options.replyTo': null,
  'options.appendAttribution': null,
  'options.senderName': null,
  'options.attachmentsUi': null,
  'options.replyToSenderOnly': null,
};

/** The text of a mail as Gmail takes it: base64 of its headers and its body, in an alphabet for addresses. */
const mailHelper = `const base64 = (text) => {
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const bytes = encodeURIComponent(text).replace(/%(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  let made = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => bytes.charCodeAt(i + n));
    made += signs[a >> 2] + signs[((a & 3) << 4) | (b >> 4)] + (i + 1 < bytes.length ? signs[((b & 15) << 2) | (c >> 6)] : '=') + (i + 2 < bytes.length ? signs[c & 63] : '=');
  }
  return made;
};
const mail = (headers, type, text) => {
  const header = ([name, value]) => name + ': ' + (/^[\\x20-\\x7e]*$/.test(value) ? value : '=?UTF-8?B?' + base64(value) + '?=');
  const lines = Object.entries(headers).filter(([, value]) => value !== undefined && value !== null && value !== '').map(([name, value]) => header([name, String(value).replace(/[\\r\\n]+/g, ' ')]));
  const body = base64(String(text ?? '')).replace(/.{76}/g, '$&\\r\\n');
  return base64([...lines, 'MIME-Version: 1.0', 'Content-Type: ' + type + '; charset=utf-8', 'Content-Transfer-Encoding: base64', '', body].join('\\r\\n')).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
};
`;

/** The members of a mail that is sent. */
function toMail(node: ServiceNode, headers: Record<string, string>, type = node.text('emailType')): string {
  if (toList(objectOf(node.raw('options.attachmentsUi'))['attachmentsBinary']).length > 0)
    node.refuse('It sends files of the run.');
  node.context.expressions.script.need('mail', mailHelper);
  const members = Object.entries(headers)
    .filter(([, path]) => path.startsWith("'") || path.startsWith('input') || node.raw(path) !== undefined)
    .map(([name, path]) => `${name}: ${path.startsWith("'") ? path : node.js(path)}`);
  if (node.raw('options.senderName') !== undefined)
    node.context.change('The name of its sender is left out.');
  if (node.raw('options.appendAttribution') !== false)
    node.context.change("n8n's own line below the message is left out.");
  return node.computed(
    `mail({ ${members.join(', ')} }, '${type === 'text' ? 'text/plain' : 'text/html'}', ${node.js('message')})`,
  );
}

const toModify = (
  reads: Record<string, null>,
  body: (node: ServiceNode) => JsonObject,
  what = 'messages',
  id = 'messageId',
): ServiceOperation => ({
  reads: { [id]: null, ...reads },
  call: (node) => ({ method: 'POST', url: `${gmailApi}${what}/${node.part(id)}/modify`, body: body(node) }),
});
const toLabels = (member: string, what?: string, id?: string) =>
  toModify({ labelIds: null }, (node) => ({ [member]: node.needed('labelIds') }), what, id);
const toGone = (url: (node: ServiceNode) => string, reads: Record<string, null>): ServiceOperation => ({
  reads,
  call: (node) => ({ method: 'DELETE', url: url(node) }),
  answer: () => '{ success: true }',
});

export const gmail: ServiceApi = {
  name: 'Gmail',
  resource: 'message',
  operation: { message: 'send', label: 'getAll', draft: 'create', thread: 'getAll' },
  secret: token,
  operations: {
    'message send': {
      reads: mailReads,
      call: (node) => {
        node.needed('sendTo');
        return {
          method: 'POST',
          url: `${gmailApi}messages/send`,
          body: {
            raw: toMail(node, {
              To: 'sendTo',
              Cc: 'options.ccList',
              Bcc: 'options.bccList',
              "'Reply-To'": 'options.replyTo',
              Subject: 'subject',
            }),
          },
        };
      },
    },
    'message get': {
      reads: { messageId: null, simple: true },
      call: (node) => {
        if (!node.isOn('simple')) return node.refuse('It reads the whole text of a message.');
        return {
          url: `${gmailApi}messages/${node.part('messageId')}?format=metadata&metadataHeaders=From&metadataHeaders=To&metadataHeaders=Cc&metadataHeaders=Bcc&metadataHeaders=Subject`,
        };
      },
      answer: () =>
        '(({ labelIds, payload: { headers, ...payload } = {}, ...message }) => ({ ...message, payload, ...Object.fromEntries((headers ?? []).map(({ name, value }) => [name, value])), labels: (labelIds ?? []).map((id) => ({ id })) }))(data)',
      differs: 'Its labels have ids and no names.',
    },
    'message delete': toGone((node) => `${gmailApi}messages/${node.part('messageId')}`, { messageId: null }),
    'message markAsRead': toModify({}, () => ({ removeLabelIds: ['UNREAD'] })),
    'message markAsUnread': toModify({}, () => ({ addLabelIds: ['UNREAD'] })),
    'message addLabels': toLabels('addLabelIds'),
    'message removeLabels': toLabels('removeLabelIds'),
    'thread addLabels': toLabels('addLabelIds', 'threads', 'threadId'),
    'thread removeLabels': toLabels('removeLabelIds', 'threads', 'threadId'),
    'thread trash': {
      reads: { threadId: null },
      call: (node) => ({ method: 'POST', url: `${gmailApi}threads/${node.part('threadId')}/trash` }),
    },
    'label getAll': {
      reads: { returnAll: false, limit: 50 },
      call: () => ({ url: `${gmailApi}labels` }),
      answer: (node) => `(data.labels ?? [])${node.isOn('returnAll') ? '' : `.slice(0, ${node.limit(500)})`}`,
      several: true,
    },
    'label get': {
      reads: { labelId: null },
      call: (node) => ({ url: `${gmailApi}labels/${node.part('labelId')}` }),
    },
    'label create': {
      reads: { name: null, 'options.labelListVisibility': null, 'options.messageListVisibility': null },
      call: (node) => ({
        method: 'POST',
        url: `${gmailApi}labels`,
        body: {
          name: node.needed('name'),
          labelListVisibility: node.value('options.labelListVisibility') ?? 'labelShow',
          messageListVisibility: node.value('options.messageListVisibility') ?? 'show',
        },
      }),
    },
    'draft create': {
      reads: { ...mailReads, emailType: 'text', 'options.sendTo': null, 'options.threadId': null },
      call: (node) => {
        if (node.raw('options.threadId') !== undefined)
          node.context.change('Its draft lies in the thread, and does not name the message that it answers.');
        return {
          method: 'POST',
          url: `${gmailApi}drafts`,
          body: {
            message: {
              raw: toMail(node, {
                To: 'options.sendTo',
                Cc: 'options.ccList',
                Bcc: 'options.bccList',
                Subject: 'subject',
              }),
              ...node.some({ threadId: 'options.threadId' }),
            },
          },
        };
      },
    },
  },
};

const fileId = /\/(?:d|folders)\/([-\w]{15,})/;

/** The folder of a new file; the root where none is named. */
const getParent = (node: ServiceNode): JsonObject => {
  const folder = objectOf(node.raw('folderId'));
  return folder['value'] === undefined || folder['value'] === 'root' || folder['value'] === ''
    ? {}
    : { parents: [node.part('folderId', fileId)] };
};

const folderReads = { driveId: null, folderId: null };

export const googleDrive: ServiceApi = {
  name: 'Google Drive',
  resource: 'file',
  operation: { file: 'upload', folder: 'create', fileFolder: 'search', drive: 'create' },
  secret: token,
  operations: {
    'file copy': {
      reads: { fileId: null, name: null, sameFolder: true, ...folderReads },
      call: (node) => ({
        method: 'POST',
        url: `${driveApi}/${node.part('fileId', fileId)}/copy?supportsAllDrives=true`,
        body: { ...node.some({ name: 'name' }), ...(node.isOn('sameFolder') ? {} : getParent(node)) },
      }),
    },
    'file deleteFile': {
      reads: { fileId: null, 'options.deletePermanently': null },
      call: (node) => {
        const url = `${driveApi}/${node.part('fileId', fileId)}?supportsAllDrives=true`;
        return node.isOn('options.deletePermanently')
          ? { method: 'DELETE', url }
          : { method: 'PATCH', url, body: { trashed: true } };
      },
      answer: (node) =>
        `{ id: ${JSON.stringify(toText(objectOf(node.raw('fileId'))['value']))}, success: true }`,
    },
    'file share': {
      reads: { fileId: null, permissionsUi: null },
      call: (node) => {
        const rights = objectOf(objectOf(node.raw('permissionsUi'))['permissionsValues']);
        return {
          method: 'POST',
          url: `${driveApi}/${node.part('fileId', fileId)}/permissions?supportsAllDrives=true`,
          body: node.context.expressions.template(rights),
        };
      },
    },
    'file move': {
      reads: { fileId: null, ...folderReads },
      first: (node) => ({
        call: { url: `${driveApi}/${node.part('fileId', fileId)}?fields=parents&supportsAllDrives=true` },
        code: "return { body: {}, parents: (input.data.parents ?? []).join(',') };",
      }),
      call: (node) => ({
        method: 'PATCH',
        url: `${driveApi}/${node.part('fileId', fileId)}?supportsAllDrives=true`,
        query: { addParents: node.part('folderId', fileId), removeParents: `{{ ${node.bodyId}.parents }}` },
      }),
    },
    'fileFolder search': {
      reads: {
        searchMethod: 'name',
        queryString: null,
        returnAll: false,
        limit: 50,
        'filter.folderId': null,
        'filter.driveId': null,
        'filter.whatToSearch': null,
        'filter.includeTrashed': null,
      },
      call: (node) => {
        const quote = (code: string) =>
          `"'" + String(${code}).replace(/\\\\/g, '\\\\\\\\').replace(/'/g, "\\\\'") + "'"`;
        const parts: string[] = [];
        if (node.raw('queryString') !== undefined && node.text('queryString') !== '')
          parts.push(
            node.text('searchMethod') === 'query'
              ? node.js('queryString')
              : `'name contains ' + ${quote(node.js('queryString'))}`,
          );
        const folder = objectOf(node.raw('filter.folderId'));
        if (folder['value'] !== undefined && folder['value'] !== '') {
          if (toText(folder['mode']) === 'url' && toText(folder['value']).startsWith('='))
            node.refuse('It calculates the address of its folder.');
          const plain = toText(folder['value']);
          parts.push(
            `${quote(node.context.expressions.javascript(toText(folder['mode']) === 'url' ? (fileId.exec(plain)?.[1] ?? plain) : plain))} + ' in parents'`,
          );
        }
        const what = node.text('filter.whatToSearch');
        if (what === 'folders') parts.push(`"mimeType = 'application/vnd.google-apps.folder'"`);
        if (what === 'files') parts.push(`"mimeType != 'application/vnd.google-apps.folder'"`);
        if (!node.isOn('filter.includeTrashed')) parts.push("'trashed = false'");
        return {
          url: driveApi,
          query: {
            q: node.computed(`[${parts.join(', ')}].join(' and ')`),
            pageSize: node.limit(1000),
            fields: 'nextPageToken, files(id, name)',
            supportsAllDrives: 'true',
            includeItemsFromAllDrives: 'true',
          },
        };
      },
      answer: () => 'data.files ?? []',
      several: true,
    },
    'folder create': {
      reads: { name: null, ...folderReads },
      call: (node) => ({
        method: 'POST',
        url: `${driveApi}?supportsAllDrives=true`,
        body: {
          name: node.needed('name'),
          mimeType: 'application/vnd.google-apps.folder',
          ...getParent(node),
        },
      }),
    },
    'folder deleteFolder': toGone(
      (node) => `${driveApi}/${node.part('folderNoRootId', fileId)}?supportsAllDrives=true`,
      {
        folderNoRootId: null,
      },
    ),
  },
};

const docsApi = 'https://docs.googleapis.com/v1/documents';

export const googleDocs: ServiceApi = {
  name: 'Google Docs',
  operation: 'create',
  secret: token,
  operations: {
    update: {
      reads: { documentURL: null, simple: true, actionsUi: null },
      call: (node) => {
        const actions = toList(objectOf(node.raw('actionsUi'))['actionFields']).map(objectOf);
        const requests = actions.map(({ object, action, locationChoice, index, text = '' }): JsonObject => {
          if (toText(object, 'text') !== 'text' || toText(action, 'insert') !== 'insert')
            node.refuse('It does more than to insert text.');
          const where = toText(locationChoice, 'endOfSegmentLocation');
          return {
            insertText: {
              text: node.context.expressions.template(text),
              ...(where === 'endOfSegmentLocation'
                ? { endOfSegmentLocation: {} }
                : { location: { index: parseNumber(index) ?? 0 } }),
            },
          };
        });
        return {
          method: 'POST',
          url: `${docsApi}/${node.part('documentURL', documentId)}:batchUpdate`,
          body: { requests },
        };
      },
      answer: (node) =>
        node.isOn('simple') ? '{ replies: data.replies, documentId: data.documentId }' : 'data',
    },
    get: {
      reads: { documentURL: null, simple: true },
      call: (node) => ({ url: `${docsApi}/${node.part('documentURL', documentId)}` }),
      answer: (node) =>
        node.isOn('simple')
          ? "{ documentId: data.documentId, content: ((data.body ?? {}).content ?? []).map((part) => ((part.paragraph ?? {}).elements ?? []).map((one) => (one.textRun ?? {}).content ?? '').join('')).join('') }"
          : 'data',
    },
  },
};

export const googleCalendar: ServiceApi = {
  name: 'Google Calendar',
  resource: 'event',
  operation: 'create',
  secret: token,
  operations: {
    'event get': {
      reads: { calendar: null, eventId: null },
      call: (node) => ({
        url: `https://www.googleapis.com/calendar/v3/calendars/${node.part('calendar')}/events/${node.part('eventId')}`,
      }),
    },
    'event getAll': {
      reads: {
        calendar: null,
        returnAll: false,
        limit: 50,
        timeMin: since([1.3, '={{ $now }}']),
        timeMax: since([1.3, '={{ $now.plus({ week: 1 }) }}']),
        'options.timeMin': null,
        'options.timeMax': null,
        'options.singleEvents': null,
        'options.orderBy': null,
        'options.query': null,
        'options.fields': null,
      },
      call: (node) => {
        const old = node.context.node.version < 1.3;
        return {
          url: `https://www.googleapis.com/calendar/v3/calendars/${node.part('calendar')}/events`,
          query: {
            maxResults: node.limit(2500),
            ...node.some({
              timeMin: old ? 'options.timeMin' : 'timeMin',
              timeMax: old ? 'options.timeMax' : 'timeMax',
              singleEvents: 'options.singleEvents',
              orderBy: 'options.orderBy',
              q: 'options.query',
              fields: 'options.fields',
            }),
          },
        };
      },
      answer: () => 'data.items ?? []',
      several: true,
      differs: 'Its times need an offset such as Z: the time zone of the workflow is not taken.',
    },
    'event delete': toGone(
      (node) =>
        `https://www.googleapis.com/calendar/v3/calendars/${node.part('calendar')}/events/${node.part('eventId')}`,
      { calendar: null, eventId: null },
    ),
    'event create': {
      reads: {
        calendar: null,
        start: null,
        end: null,
        'additionalFields.summary': null,
        'additionalFields.description': null,
        'additionalFields.location': null,
        'additionalFields.attendees': null,
        useDefaultReminders: true,
      },
      call: (node) => ({
        method: 'POST',
        url: `https://www.googleapis.com/calendar/v3/calendars/${node.part('calendar')}/events`,
        body: {
          ...node.some({
            summary: 'additionalFields.summary',
            description: 'additionalFields.description',
            location: 'additionalFields.location',
          }),
          ...(node.raw('additionalFields.attendees') === undefined
            ? {}
            : {
                attendees: node.computed(
                  `[${node.js('additionalFields.attendees')}].flat().flatMap((one) => String(one).split(',')).map((email) => ({ email: email.trim() }))`,
                ),
              }),
          start: { dateTime: node.needed('start') },
          end: { dateTime: node.needed('end') },
        } satisfies Record<string, Json>,
      }),
      differs: 'Its times need an offset such as Z: the time zone of the workflow is not taken.',
    },
  },
};

/** The names of metrics or dimensions, which the list of n8n has or not. */
const toNames = (node: ServiceNode, list: string, member: string) =>
  toList(objectOf(node.raw(list))[member])
    .map(objectOf)
    .map(({ listName, name }) => (toText(listName) === 'other' ? toText(name) : toText(listName)))
    .filter((name) => name !== '')
    .map((name) => ({ name }));

/** Ranges of dates in the words of the API, which are those of the property. */
const ranges: Record<string, [string, string]> = {
  today: ['today', 'today'],
  yesterday: ['yesterday', 'yesterday'],
  last7days: ['7daysAgo', 'today'],
  last30days: ['30daysAgo', 'today'],
};

export const googleAnalytics: ServiceApi = {
  name: 'Google Analytics',
  resource: 'report',
  operation: { report: 'get' },
  secret: token,
  operations: {
    'report get': {
      reads: {
        propertyType: 'ga4',
        propertyId: null,
        dateRange: 'last7days',
        startDate: null,
        endDate: null,
        metricsGA4: { metricValues: [{ listName: 'totalUsers' }] },
        dimensionsGA4: { dimensionValues: [{ listName: 'date' }] },
        returnAll: false,
        limit: 50,
        simple: true,
      },
      call: (node) => {
        if (node.text('propertyType') !== 'ga4')
          return node.refuse('Its property is of a service that has ended.');
        const metrics = toList(objectOf(node.raw('metricsGA4'))['metricValues']).map(objectOf);
        if (metrics.some(({ listName }) => toText(listName) === 'custom'))
          return node.refuse('It calculates a metric.');
        const range = node.text('dateRange');
        const day = (path: string) =>
          node.computed(
            `((value) => (value && value.toISO ? value.toISO() : String(value)).slice(0, 10))(${node.js(path)})`,
          );
        const [startDate, endDate] =
          range === 'custom' ? [day('startDate'), day('endDate')] : (ranges[range] ?? []);
        if (startDate === undefined || endDate === undefined) return node.refuse(`Its range is ${range}.`);
        return {
          method: 'POST',
          url: `https://analyticsdata.googleapis.com/v1beta/properties/${node.part('propertyId', /p([0-9]+)/)}:runReport`,
          body: {
            dateRanges: [{ startDate, endDate }],
            metrics: toNames(node, 'metricsGA4', 'metricValues'),
            dimensions: toNames(node, 'dimensionsGA4', 'dimensionValues'),
            limit: node.limit(100_000),
          },
        };
      },
      answer: (node) =>
        node.isOn('simple')
          ? '(data.rows ?? []).map((row) => Object.fromEntries([...(data.dimensionHeaders ?? []).map(({ name }, i) => [name, row.dimensionValues[i].value]), ...(data.metricHeaders ?? []).map(({ name }, i) => [name, row.metricValues[i].value])]))'
          : 'data',
      several: true,
    },
  },
};

export const youTube: ServiceApi = {
  name: 'YouTube',
  resource: 'channel',
  operation: { channel: 'getAll', video: 'getAll' },
  secret: token,
  operations: {
    'video get': {
      reads: { videoId: null, part: ['*'] },
      call: (node) => {
        const parts = toList(node.raw('part')).map((one) => toText(one));
        return {
          url: 'https://www.googleapis.com/youtube/v3/videos',
          query: {
            part: parts.includes('*')
              ? 'contentDetails,id,liveStreamingDetails,localizations,player,recordingDetails,snippet,statistics,status,topicDetails'
              : parts.join(','),
            id: node.needed('videoId'),
          },
        };
      },
      answer: () => 'data.items ?? []',
    },
  },
};
