import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import pg from 'pg';
import { Knowledge } from './support/knowledge.ts';
import { answerOf, described, Stack, until } from './support/stack.ts';

let stack: Stack;
let owner: pg.Client;
let base: string;
/** For the temporary files of the product. */
const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
beforeAll(async () => {
  stack = await Stack.start({ TMPDIR: folder });
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  base = await knowledge.givenBase({ name: 'base' });
});
afterAll(async () => {
  await owner?.end();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const knowledge = new Knowledge(() => stack);
const path = '/api/v1/knowledge';
const chunking = (chunkingConfig: object) => ({ name: 'new', chunkingConfig });
const search = (more: object) => ({ knowledgeBaseIds: ['BASE'], query: 'x', ...more });
const text = (more: object) => ({ text: 'Some text.', filename: 'a.txt', ...more });

const bad: [what: string, method: string, place: string, body: unknown, status: number, field: string][] = [
  ['a base without a name', 'POST', '', {}, 400, 'name'],
  ['a base with a name of 256 characters', 'POST', '', { name: 'n'.repeat(256) }, 400, 'name'],
  ['a chunk of 99 tokens', 'POST', '', chunking({ maxSize: 99 }), 400, 'chunkingConfig.maxSize'],
  ['a chunk of 4,001 tokens', 'POST', '', chunking({ maxSize: 4001 }), 400, 'chunkingConfig.maxSize'],
  ['a size that is no whole number', 'POST', '', chunking({ minSize: 1.5 }), 400, 'chunkingConfig.minSize'],
  [
    'an overlap as large as the chunk',
    'POST',
    '',
    chunking({ maxSize: 200, overlap: 200 }),
    400,
    'chunkingConfig.overlap',
  ],
  ['an overlap below 0', 'POST', '', chunking({ overlap: -1 }), 400, 'chunkingConfig.overlap'],
  ['an unknown field', 'POST', '', { name: 'x', model: 'y' }, 400, 'model'],
  ['a change of nothing', 'PUT', '/BASE', {}, 400, ''],
  ['no results', 'POST', '/search', search({ topK: 0 }), 400, 'topK'],
  ['101 results', 'POST', '/search', search({ topK: 101 }), 400, 'topK'],
  ['an empty query', 'POST', '/search', search({ query: '' }), 400, 'query'],
  ['a query of 11,000 characters', 'POST', '/search', search({ query: 'q'.repeat(11_000) }), 400, 'query'],
  ['no query and no filter', 'POST', '/search', { knowledgeBaseIds: ['BASE'] }, 400, 'query'],
  ['no bases', 'POST', '/search', search({ knowledgeBaseIds: [] }), 400, 'knowledgeBaseIds'],
  [
    '21 bases',
    'POST',
    '/search',
    search({ knowledgeBaseIds: Array.from({ length: 21 }, () => 'BASE') }),
    400,
    'knowledgeBaseIds',
  ],
  ['bases that are numbers', 'POST', '/search', search({ knowledgeBaseIds: [1] }), 400, 'knowledgeBaseIds'],
  [
    'an unknown tag',
    'POST',
    '/search',
    search({ tagFilters: [{ tagName: 'none', value: 1 }] }),
    400,
    'tagFilters.0.tagName',
  ],
  [
    'an operator that is none',
    'POST',
    '/search',
    search({ tagFilters: [{ tagName: 'n', operator: 'like', value: 1 }] }),
    400,
    'tagFilters.0.operator',
  ],
  [
    'an operator of another type',
    'POST',
    '/search',
    search({ tagFilters: [{ tagName: 'n', operator: 'contains', value: 1 }] }),
    400,
    'tagFilters.0.operator',
  ],
  [
    'a value of another type',
    'POST',
    '/search',
    search({ tagFilters: [{ tagName: 'n', value: 'many' }] }),
    400,
    'tagFilters.0.value',
  ],
  [
    'half a range',
    'POST',
    '/search',
    search({ tagFilters: [{ tagName: 'n', operator: 'between', value: 1 }] }),
    400,
    'tagFilters.0.valueTo',
  ],
  [
    'a day that there is not',
    'POST',
    '/search',
    search({ tagFilters: [{ tagName: 'd', value: '2025-02-30' }] }),
    400,
    'tagFilters.0.value',
  ],
  [
    'two tags of one name',
    'PUT',
    '/BASE/tags',
    {
      tags: [
        { name: 'a', type: 'text' },
        { name: 'A', type: 'date' },
      ],
    },
    400,
    'tags.1.name',
  ],
  [
    'another type for a tag',
    'PUT',
    '/BASE/tags',
    { tags: [{ name: 'n', type: 'text' }] },
    400,
    'tags.0.type',
  ],
  [
    '18 tags',
    'PUT',
    '/BASE/tags',
    { tags: Array.from({ length: 18 }, (_, i) => ({ name: `t${i}`, type: 'text' })) },
    400,
    'tags',
  ],
  ['neither text nor URL', 'POST', '/BASE/documents', {}, 400, ''],
  ['text and URL', 'POST', '/BASE/documents', text({ url: 'https://a.test' }), 400, ''],
  ['text without a name', 'POST', '/BASE/documents', { text: 'x' }, 400, 'filename'],
  ['a URL of a file', 'POST', '/BASE/documents', { url: 'file:///etc/passwd' }, 400, 'url'],
  ['a URL with a password', 'POST', '/BASE/documents', { url: 'http://a:b@a.test/' }, 400, 'url'],
  ['an unknown tag of a document', 'POST', '/BASE/documents', text({ tags: { none: 1 } }), 400, 'tags.none'],
  ['a tag of a wrong type', 'POST', '/BASE/documents', text({ tags: { n: 'many' } }), 400, 'tags.n'],
  [
    'a list sorted by nothing',
    'GET',
    '/BASE/documents?workspaceId=HOME&sortBy=size',
    undefined,
    400,
    'sortBy',
  ],
  ['a page of 101 documents', 'GET', '/BASE/documents?workspaceId=HOME&limit=101', undefined, 400, 'limit'],
  ['a wait of 61 seconds', 'GET', '/BASE/documents/doc_x?wait=61', undefined, 400, 'wait'],
  ['a base that is not there', 'POST', '/kb_none/documents', text({}), 404, ''],
  ['a document that is not there', 'GET', '/BASE/documents/doc_none', undefined, 404, ''],
];

/** The number of rows in every table that a call could write. */
async function stored(): Promise<string> {
  const { rows } = await owner.query(`
    select (select count(*) from knowledge_bases) || ' ' || (select count(*) from documents) || ' ' || (select count(*) from files)
      || ' ' || (select count(*) from file_pieces) || ' ' || (select sum(jsonb_array_length(tags)) from knowledge_bases) as n`);
  return rows[0].n;
}

/** They are removed with the answer, right after its last byte. */
const noFiles = () =>
  until(
    async () => readdirSync(folder),
    (left) => left.length === 0,
  );

test.each(bad)('%s is refused, and nothing is stored', async (_, ...call) => {
  const [method, place, body, status, field] = call;
  await stack.call('PUT', `${path}/${base}/tags`, {
    tags: [
      { name: 'n', type: 'number' },
      { name: 'd', type: 'date' },
    ],
  });
  const before = await stored();
  const here = JSON.parse(JSON.stringify(body ?? null).replaceAll('BASE', base)) as unknown;
  const answer = await stack.call(
    method,
    path + place.replace('BASE', base).replace('HOME', stack.home.id),
    here ?? undefined,
  );
  const paths = (answer.body.details ?? [{ path: '' }]).map((detail: { path: string }) => detail.path);
  expect([answer.status, paths]).toEqual([status, expect.arrayContaining([field])]);
  expect(await stored()).toBe(before);
});

describe('body of files', () => {
  const send = async (body: string | Uint8Array<ArrayBuffer>, type: string) => {
    const place = `${path}/${base}/documents`;
    const headers = { 'x-api-key': stack.home.key, 'content-type': type };
    const response = await fetch(stack.url + place, { method: 'POST', body, headers });
    return described('POST', place, await answerOf(response));
  };
  const part = (name: string, content: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const file = (content: string) => part('file', content, '; filename="a.txt"');

  test.each([
    ['without a boundary', file('x'), 'multipart/form-data', 400],
    ['with a missing end', file('x').slice(0, 60), 'multipart/form-data; boundary=b', 400],
    ['without a file', `${part('tags', '{}')}--b--\r\n`, 'multipart/form-data; boundary=b', 400],
    [
      'with an unknown field',
      `${part('model', 'x')}${file('x')}--b--\r\n`,
      'multipart/form-data; boundary=b',
      400,
    ],
    [
      'with tags that are no JSON',
      `${part('tags', '{')}${file('x')}--b--\r\n`,
      'multipart/form-data; boundary=b',
      400,
    ],
    ['with 21 files', `${file('x').repeat(21)}--b--\r\n`, 'multipart/form-data; boundary=b', 400],
    [
      'for another workspace',
      `${part('workspaceId', 'ws_none')}${file('x')}--b--\r\n`,
      'multipart/form-data; boundary=b',
      404,
    ],
    [
      'with a name like a path',
      `${part('file', 'ok', '; filename="../../etc/passwd"')}--b--\r\n`,
      'multipart/form-data; boundary=b',
      201,
    ],
    ['as plain text', 'hello', 'text/plain', 415],
  ])('%s is answered, and leaves no file behind', async (what, body, type, status) => {
    const before = await stored();
    const answer = await send(body, type);
    expect(answer.status).toBe(status);
    await noFiles();
    if (status === 201) expect(answer.body.data.document.filename).toBe('passwd');
    else expect(await stored()).toBe(before);
    expect(what).not.toBe('');
  });

  test('a body of files is refused as a whole when one file has 101 MB', async () => {
    const before = await stored();
    const big = new Blob([new Uint8Array(101 * 1024 * 1024)]);
    const form = new FormData();
    form.append('file', new Blob(['good']), 'good.txt');
    form.append('file', big, 'big.txt');
    const answer = await knowledge.send(`${path}/${base}/documents`, form);
    expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await noFiles();
    expect(await stored()).toBe(before);
  });

  test('a body of files leaves no file behind when its sender goes away', async () => {
    const { port, hostname } = new URL(stack.url);
    const socket = connect(Number(port), hostname);
    const head = `POST ${path}/${base}/documents HTTP/1.1\r\nHost: a\r\nX-API-Key: ${stack.home.key}\r\nContent-Length: 100000\r\n`;
    socket.write(`${head}Content-Type: multipart/form-data; boundary=b\r\n\r\n${file('begun')}`);
    await until(
      async () => readdirSync(folder).length,
      (count) => count === 1,
    );
    socket.destroy();
    await until(
      async () => readdirSync(folder).length,
      (count) => count === 0,
    );
  });

  test('a body of files ends as a failed document when a file only claims to be a PDF', async () => {
    const added = await knowledge.upload(
      base,
      [
        ['broken.pdf', '%PDF-1.7 and then nothing', 'application/pdf'],
        ['empty.txt', ''],
        ['zip.docx', 'PK\u0003\u0004 broken', 'application/zip'],
      ],
      30,
    );
    const outcomes = added.body.data.documents.map(
      ({ processingStatus, processingErrorCode, processingError }: Record<string, string>) => [
        processingStatus,
        typeof processingErrorCode,
        processingError !== '',
      ],
    );
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => ['failed', 'string', true]));
  });

  test('a body of files ends as failed documents, each with its reason and without chunks, when its files cannot be read', async () => {
    const fresh = await knowledge.givenBase();
    const sample = (name: string) =>
      new Uint8Array(readFileSync(`libs/knowledge/parsing/support/files/${name}`));
    const word = sample('guide.docx');
    const broken: [name: string, content: string | Uint8Array<ArrayBuffer>, code: string][] = [
      ['empty.txt', '', 'EMPTY'],
      ['locked.pdf', sample('locked.pdf'), 'ENCRYPTED'],
      ['half.docx', word.slice(0, word.length / 2), 'UNREADABLE'],
      ['text.pdf', 'Not found', 'MISLABELLED'],
      ['bomb.docx', zipSync({ 'word/document.xml': new Uint8Array(30_000_000) }), 'TOO_LARGE'],
      ['pictures.pdf', sample('pictures.pdf'), 'NO_TEXT'],
    ];
    const files = broken.map(([name, content]): [string, string | Uint8Array<ArrayBuffer>] => [
      name,
      content,
    ]);
    const { body } = await knowledge.upload(fresh, files, 60);
    const outcomes = body.data.documents.map(
      ({ filename, processingStatus, processingErrorCode, chunkCount }: Record<string, string | number>) => [
        filename,
        processingStatus,
        processingErrorCode,
        chunkCount,
      ],
    );
    expect(outcomes).toEqual(broken.map(([name, , code]) => [name, 'failed', code, 0]));
    const { rows } = await owner.query(
      `select (select count(*) from chunks c where c.base_no = b.no)::int + (select count(*) from chunk_words w where w.base_no = b.no)::int
         + (select count(*) from vectors.chunk_vectors v where v.base_no = b.no)::int as stored
       from knowledge_bases b where b.id = $1`,
      [fresh],
    );
    expect(rows).toEqual([{ stored: 0 }]);
    await noFiles();
  });
});
