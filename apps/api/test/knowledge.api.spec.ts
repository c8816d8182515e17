import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writePdf } from '#libs/knowledge/parsing/support/write-pdf';
import { Knowledge } from './support/knowledge.ts';
import { Stack } from './support/stack.ts';

let stack: Stack;
let theirs: { id: string; key: string };
beforeAll(async () => {
  stack = await Stack.shared();
  theirs = await stack.givenWorkspace();
});
afterAll(() => stack.stop());

const knowledge = new Knowledge(() => stack);
const path = '/api/v1/knowledge';
const id = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-f]{32,}$`));
const moment: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('knowledge base', () => {
  test('a knowledge base is created, listed, read, changed and deleted', async () => {
    const created = await stack.post(path, {
      workspaceId: stack.home.id,
      name: 'Manuals',
      description: 'How.',
    });
    const knowledgeBase = {
      id: id('kb'),
      name: 'Manuals',
      description: 'How.',
      docCount: 0,
      tokenCount: 0,
      embeddingModel: 'hash-384',
      embeddingDimension: 384,
      chunkingConfig: { maxSize: 1024, minSize: 100, overlap: 200 },
      createdAt: moment,
      updatedAt: moment,
    };
    expect([created.status, created.body]).toEqual([
      200,
      { success: true, data: { knowledgeBase, message: 'Knowledge base created' } },
    ]);
    const one = `${path}/${created.body.data.knowledgeBase.id}`;
    const listed = await stack.get(`${path}?workspaceId=${stack.home.id}`);
    expect(listed.body).toEqual({ success: true, data: { knowledgeBases: [knowledgeBase], totalCount: 1 } });
    expect((await stack.get(`${one}?workspaceId=${stack.home.id}`)).body.data).toEqual({ knowledgeBase });
    const taken = await stack.post(path, { name: 'MANUALS' });
    expect([taken.status, taken.body.code]).toEqual([409, 'NAME_TAKEN']);
    const changed = await stack.call('PUT', one, { workspaceId: stack.home.id, name: 'Handbooks' });
    expect(changed.body).toEqual({
      success: true,
      data: { knowledgeBase: { ...knowledgeBase, name: 'Handbooks' }, message: 'Knowledge base updated' },
    });
    const gone = await stack.call('DELETE', `${one}?workspaceId=${stack.home.id}`);
    expect([gone.status, gone.body]).toEqual([
      200,
      { success: true, data: { message: 'Knowledge base deleted' } },
    ]);
    expect((await stack.get(`${one}?workspaceId=${stack.home.id}`)).status).toBe(404);
  });

  test('a knowledge base does not exist for a caller of another workspace, in every call', async () => {
    const { base, document } = await knowledge.givenText('ours', 'Some text of ours.');
    const chunk = (await knowledge.chunks(base, document)).body.data.chunks[0].id;
    const documents = `/${base}/documents`;
    const calls: [string, string, object?][] = [
      ['GET', `/${base}?workspaceId=THEIRS`],
      ['PUT', `/${base}`, { name: 'mine' }],
      ['DELETE', `/${base}`],
      ['GET', `/${base}/tags`],
      ['PUT', `/${base}/tags`, { tags: [] }],
      ['GET', `${documents}?workspaceId=THEIRS`],
      ['POST', documents, { text: 'x', filename: 'x.txt' }],
      ['GET', `${documents}/${document}`],
      ['PATCH', `${documents}/${document}`, { enabled: false }],
      ['DELETE', `${documents}/${document}`],
      ['POST', `${documents}/${document}/retry`],
      ['GET', `${documents}/${document}/content`],
      ['GET', `${documents}/${document}/chunks`],
      ['GET', `${documents}/${document}/chunks/${chunk}`],
      ['PATCH', `${documents}/${document}/chunks/${chunk}`, { enabled: false }],
      ['DELETE', `${documents}/${document}/chunks/${chunk}`],
      ['POST', '/search', { knowledgeBaseIds: [base], query: 'text' }],
    ];
    const answers = [];
    for (const [method, place, body] of calls) {
      const named = path + place.replace('THEIRS', theirs.id);
      const { status } = await stack.call(method, named, body, { 'x-api-key': theirs.key });
      answers.push([method, place, status]);
    }
    expect(answers).toEqual(calls.map(([method, place]) => [method, place, 404]));
    expect((await knowledge.search([base], 'text')).body.data.totalResults).toBe(1);
  });
});

describe('document', () => {
  test('a document is cut, embedded, found and downloaded after its upload', async () => {
    const base = await knowledge.givenBase({ chunkingConfig: { minSize: 1 } });
    const text = '# Pumps\n\nThe pump P-100 moves water.\n\n# Fans\n\nThe fan moves air.\n';
    const added = await knowledge.upload(base, [['pumps & fans.md', text, 'text/markdown']], 30);
    const document = {
      id: id('doc'),
      knowledgeBaseId: base,
      filename: 'pumps & fans.md',
      fileSize: text.length,
      mimeType: 'text/markdown',
      processingStatus: 'completed',
      processingError: null,
      processingErrorCode: null,
      progress: { chunksDone: 2, chunksTotal: 2 },
      chunkCount: 2,
      tokenCount: expect.any(Number),
      characterCount: text.length,
      confidence: 1,
      warnings: [],
      enabled: true,
      tags: {},
      sourceUrl: expect.stringContaining(`/api/v1/knowledge/${base}/documents/doc_`),
      processingStartedAt: moment,
      processingCompletedAt: moment,
      createdAt: moment,
    };
    expect([added.status, added.body]).toEqual([
      201,
      { success: true, data: { document, documents: [document], duplicates: 0, message: 'Document added' } },
    ]);
    const { id: documentId, sourceUrl } = added.body.data.document;
    const found = await knowledge.search([base], 'P-100', { topK: 5 });
    expect(found.body).toEqual({
      success: true,
      data: {
        results: [
          {
            documentId,
            documentName: 'pumps & fans.md',
            sourceUrl,
            content: '# Pumps\n\nThe pump P-100 moves water.',
            chunkIndex: 0,
            similarity: expect.any(Number),
            metadata: {
              knowledgeBaseId: base,
              chunkId: id('chk'),
              start: 0,
              end: 36,
              headings: ['Pumps'],
              tokenCount: expect.any(Number),
              tags: {},
              cosine: expect.any(Number),
            },
          },
          expect.objectContaining({ chunkIndex: 1 }),
        ],
        query: 'P-100',
        knowledgeBaseIds: [base],
        topK: 5,
        totalResults: 2,
      },
    });
    const content = await stack.get(new URL(sourceUrl).pathname);
    expect([content.status, content.body]).toEqual([200, text]);
    expect(content.headers.get('content-type')).toBe('application/octet-stream');
    expect(content.headers.get('content-disposition')).toBe(
      `attachment; filename*=UTF-8''pumps%20%26%20fans.md`,
    );
  });

  test('a document says how surely it was read, and which pages have no text', async () => {
    const base = await knowledge.givenBase();
    const line = ['This page tells about the maintenance of the pump.'];
    const { body } = await knowledge.upload(
      base,
      [['a.pdf', new Uint8Array(writePdf([line, [], line, []]))]],
      30,
    );
    expect(body.data.document).toMatchObject({
      processingStatus: 'completed',
      confidence: 0.5,
      warnings: ['2 of 4 pages have no text that can be read, and searches do not find them: pages 2, 4.'],
    });
  });

  test('a document is listed, with the filters, the sort and the page that the query names', async () => {
    const base = await knowledge.givenBase();
    await knowledge.upload(
      base,
      [
        ['a.txt', 'one word'],
        ['B.txt', 'two words here'],
        ['c.md', 'three'],
      ],
      30,
    );
    const list = async (query: string) => {
      const { body } = await stack.get(`${path}/${base}/documents?workspaceId=${stack.home.id}&${query}`);
      return [
        body.data.documents.map(({ filename }: { filename: string }) => filename),
        body.data.pagination,
      ];
    };
    const { documents } = (await stack.get(`${path}/${base}/documents?workspaceId=${stack.home.id}`)).body
      .data;
    await stack.call('PATCH', `${path}/${base}/documents/${documents[0].id}`, { enabled: false });
    expect(await list('sortBy=filename&sortOrder=asc&limit=2')).toEqual([
      ['a.txt', 'B.txt'],
      { total: 3, limit: 2, offset: 0, hasMore: true },
    ]);
    expect(await list('search=.TXT&sortBy=fileSize&offset=1')).toEqual([
      ['a.txt'],
      { total: 2, limit: 50, offset: 1, hasMore: false },
    ]);
    expect((await list('enabledFilter=disabled'))[0]).toEqual([documents[0].filename]);
    expect((await list('enabledFilter=enabled'))[1]).toMatchObject({ total: 2 });
    for (const key of ['tokenCount', 'chunkCount', 'uploadedAt', 'processingStatus', 'enabled'])
      expect((await list(`sortBy=${key}`))[0]).toHaveLength(3);
  });

  test('a document comes from a URL, is fetched through egress, and fails with a reason where that is not allowed', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/inward')
        return void response.writeHead(302, { location: 'http://10.0.0.1/x' }).end();
      if (request.url === '/missing') return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('Fetched by a worker.');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const base = await knowledge.givenBase();
    const fetched = async (url: string) => {
      const { body } = await stack.post(`${path}/${base}/documents?wait=60`, { url });
      const { filename, sourceUrl, processingStatus, processingErrorCode, mimeType } = body.data.document;
      return { filename, sourceUrl, processingStatus, processingErrorCode, mimeType };
    };
    const good = await fetched(`${at}/page.txt`);
    const rest = { processingStatus: 'failed', mimeType: '' };
    const bad = [
      await fetched(`${at}/inward`),
      await fetched(`${at}/missing`),
      await fetched('http://192.168.3.4/a'),
    ];
    server.close();
    expect(good).toEqual({
      filename: 'page.txt',
      sourceUrl: `${at}/page.txt`,
      processingStatus: 'completed',
      processingErrorCode: null,
      mimeType: 'text/plain',
    });
    expect(bad).toEqual([
      { ...rest, filename: 'inward', sourceUrl: `${at}/inward`, processingErrorCode: 'FETCH_REFUSED' },
      { ...rest, filename: 'missing', sourceUrl: `${at}/missing`, processingErrorCode: 'FETCH_FAILED' },
      { ...rest, filename: 'a', sourceUrl: 'http://192.168.3.4/a', processingErrorCode: 'FETCH_REFUSED' },
    ]);
  });

  test('a document is processed again only when it has failed', async () => {
    const base = await knowledge.givenBase();
    const { body } = await knowledge.upload(base, [['empty.txt', '  \n ']], 30);
    const { id: documentId, processingStatus, processingError } = body.data.document;
    expect([processingStatus, processingError]).toEqual(['failed', 'The file holds no text.']);
    const one = `${path}/${base}/documents/${documentId}`;
    const again = await stack.post(`${one}/retry`);
    expect([again.status, again.body.data.document.processingStatus]).toEqual([202, 'pending']);
    expect((await stack.get(`${one}?wait=60`)).body.data.document.processingStatus).toBe('failed');
    const { document } = await knowledge.givenText('fine', 'Fine text.');
    const refused = await stack.post(`${path}/${knowledge.last}/documents/${document}/retry`);
    expect([refused.status, refused.body.code]).toEqual([409, 'NOT_FAILED']);
  });

  test('a document is stored once when the same bytes come often under the same name, also at the same time', async () => {
    const base = await knowledge.givenBase();
    const twice = () => knowledge.upload(base, [['same.txt', 'The same text.']]);
    const answers = await Promise.all([twice(), twice(), twice()]);
    const later = await twice();
    const ids = new Set([...answers, later].map(({ body }) => body.data.document.id));
    expect([ids.size, later.body.data.duplicates]).toEqual([1, 1]);
    const other = await knowledge.upload(base, [['other.txt', 'The same text.']]);
    expect(other.body.data.duplicates).toBe(0);
  });

  test('a document is added once for an Idempotency-Key, and another body under it is refused', async () => {
    const base = await knowledge.givenBase();
    const add = (text: string) =>
      stack.post(`${path}/${base}/documents`, { text, filename: 'a.md' }, { 'idempotency-key': 'once' });
    const first = await add('One.');
    expect(first.body.data.document.mimeType).toBe('text/markdown');
    const second = await add('One.');
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body.data.document.id).toBe(first.body.data.document.id);
    expect((await add('Two.')).status).toBe(422);
  });

  test('a document is found under its new name after a rename, and not at all when it is disabled or deleted', async () => {
    const { base, document } = await knowledge.givenText('a.txt', 'Water is wet.');
    const one = `${path}/${base}/documents/${document}`;
    const changed = await stack.call('PATCH', one, { filename: 'water.txt' });
    expect(changed.body.data).toMatchObject({
      document: { filename: 'water.txt' },
      message: 'Document updated',
    });
    expect((await knowledge.search([base], 'water')).body.data.results[0].documentName).toBe('water.txt');
    await stack.call('PATCH', one, { enabled: false });
    expect((await knowledge.search([base], 'water')).body.data.results).toEqual([]);
    await stack.call('PATCH', one, { enabled: true });
    expect((await knowledge.search([base], 'water')).body.data.totalResults).toBe(1);
    expect((await stack.call('DELETE', one)).body).toEqual({
      success: true,
      data: { message: 'Document deleted' },
    });
    expect((await knowledge.search([base], 'water')).body.data.results).toEqual([]);
    expect((await stack.get(one)).status).toBe(404);
  });

  test('a document keeps its old chunks until its new chunks are ready', async () => {
    const text = Array.from({ length: 60 }, (_, i) => `Sentence number ${i} says something of its own.`).join(
      ' ',
    );
    const { base, document } = await knowledge.givenText('long.txt', text);
    const before = (await knowledge.chunks(base, document)).body.data.pagination.total;
    const chunkingConfig = { maxSize: 100, minSize: 50, overlap: 0 };
    const changed = await stack.call('PUT', `${path}/${base}`, { chunkingConfig });
    expect(changed.body.data.knowledgeBase.chunkingConfig).toEqual(chunkingConfig);
    const search = await knowledge.search([base], 'sentence number 7');
    expect(search.body.data.totalResults).toBeGreaterThanOrEqual(before);
    const settled = await stack.get(`${path}/${base}/documents/${document}?wait=60`);
    expect(settled.body.data.document.processingStatus).toBe('completed');
    const { chunks } = (await knowledge.chunks(base, document)).body.data;
    expect(chunks.length).toBeGreaterThan(before);
    for (const { content, startOffset, endOffset } of chunks)
      expect(content).toBe(text.slice(startOffset, endOffset));
  });
});

describe('chunk', () => {
  test('a chunk is listed, edited, disabled and deleted', async () => {
    const parts = '# One\n\nThe first part.\n\n# Two\n\nThe second part.';
    const { base, document } = await knowledge.givenText('a.md', parts, { chunkingConfig: { minSize: 1 } });
    const { chunks, pagination } = (await knowledge.chunks(base, document)).body.data;
    expect(pagination).toEqual({ total: 2, limit: 50, offset: 0, hasMore: false });
    expect(chunks[0]).toEqual({
      id: id('chk'),
      chunkIndex: 0,
      content: '# One\n\nThe first part.',
      startOffset: 0,
      endOffset: 22,
      headings: ['One'],
      tokenCount: expect.any(Number),
      enabled: true,
    });
    const one = `${path}/${base}/documents/${document}/chunks/${chunks[0].id}`;
    const edited = await stack.call('PATCH', one, { content: 'Now it speaks of zebras.' });
    expect(edited.body.data).toMatchObject({
      chunk: { content: 'Now it speaks of zebras.', startOffset: null, endOffset: null },
      message: 'Chunk updated',
    });
    expect((await stack.get(one)).body.data.chunk).toEqual(edited.body.data.chunk);
    const best = async (query: string) =>
      (await knowledge.search([base], query)).body.data.results.map(
        (found: { chunkIndex: number }) => found.chunkIndex,
      );
    expect(await best('zebras')).toEqual([0, 1]);
    await stack.call('PATCH', one, { enabled: false });
    expect(await best('zebras')).toEqual([1]);
    await stack.call('PATCH', one, { enabled: true });
    expect(await best('zebras')).toEqual([0, 1]);
    expect((await stack.call('DELETE', one)).body.data).toEqual({ message: 'Chunk deleted' });
    expect(await best('zebras')).toEqual([1]);
    expect((await stack.get(one)).status).toBe(404);
    const log = (await stack.get(`/api/v1/audit-logs?resourceId=${chunks[0].id}`)).body.data;
    const about = { documentId: document };
    expect(log.map(({ action, metadata }: Record<string, unknown>) => [action, metadata])).toEqual([
      ['chunk.deleted', about],
      ['chunk.updated', { ...about, content: 'as before', enabled: true }],
      ['chunk.updated', { ...about, content: 'as before', enabled: false }],
      ['chunk.updated', { ...about, content: 'changed' }],
    ]);
    const { document: after } = (await stack.get(`${path}/${base}/documents/${document}`)).body.data;
    expect(after.chunkCount).toBe(1);
  });
});

describe('tags', () => {
  test('tags are defined, given to documents, and filter a search', async () => {
    const base = await knowledge.givenBase();
    const tags = [
      { name: 'Team', type: 'text' },
      { name: 'Year', type: 'number' },
      { name: 'Due', type: 'date' },
      { name: 'Final', type: 'boolean' },
    ];
    const defined = await stack.call('PUT', `${path}/${base}/tags`, { tags });
    expect(defined.body.data.tags).toEqual(tags.map((tag) => ({ id: id('tag'), ...tag })));
    const add = (name: string, values: object) =>
      stack.post(`${path}/${base}/documents?wait=60`, {
        text: `About ${name}.`,
        filename: name,
        tags: values,
      });
    await add('a', { team: 'Sales North', Year: 2024, Due: '2024-05-01', Final: true });
    await add('b', { Team: 'Support', Year: 2025, Due: '2025-01-31', Final: false });
    await add('c', {});
    const names = async (...tagFilters: object[]) => {
      const { body } = await stack.post(`${path}/search`, { knowledgeBaseIds: [base], tagFilters });
      return body.data.results.map((one: { documentName: string }) => one.documentName);
    };
    const filter = (tagName: string, operator: string, value: unknown, valueTo?: unknown) => ({
      tagName,
      operator,
      value,
      ...(valueTo === undefined ? {} : { valueTo }),
    });
    expect(await names(filter('Team', 'eq', 'SUPPORT'))).toEqual(['b']);
    expect(await names(filter('Team', 'neq', 'support'))).toEqual(['a', 'c']);
    expect(await names(filter('team', 'contains', 'north'))).toEqual(['a']);
    expect(await names(filter('Team', 'not_contains', 'north'))).toEqual(['b', 'c']);
    expect(await names(filter('Team', 'starts_with', 'sales'))).toEqual(['a']);
    expect(await names(filter('Team', 'ends_with', 'NORTH'))).toEqual(['a']);
    expect(await names(filter('Year', 'gt', 2024))).toEqual(['b']);
    expect(await names(filter('Year', 'between', 2024, 2024))).toEqual(['a']);
    expect(await names(filter('Due', 'lte', '2024-12-31'), filter('Final', 'eq', true))).toEqual(['a']);
    expect(await names(filter('Final', 'neq', true))).toEqual(['b', 'c']);
    const found = await knowledge.search([base], 'about', { tagFilters: [filter('Year', 'gte', 2025)] });
    expect(found.body.data.results).toMatchObject([
      { documentName: 'b', metadata: { tags: { Team: 'Support' } } },
    ]);
    const fewer = await stack.call('PUT', `${path}/${base}/tags`, { tags: defined.body.data.tags.slice(1) });
    expect(fewer.body.data.tags).toHaveLength(3);
    expect((await stack.get(`${path}/${base}/tags`)).body.data).toEqual(fewer.body.data);
    const { documents } = (await stack.get(`${path}/${base}/documents?workspaceId=${stack.home.id}&search=a`))
      .body.data;
    expect(documents[0].tags).toEqual({ Year: 2024, Due: '2024-05-01', Final: true });
    const [first] = documents;
    const one = { filename: 'z', tags: { Year: 2023 } };
    await stack.call('PATCH', `${path}/${base}/documents/${first.id}`, one);
    const actions = async (resourceId: string) =>
      (await stack.get(`/api/v1/audit-logs?resourceId=${resourceId}`)).body.data;
    expect(await actions(first.id)).toMatchObject([
      { action: 'document.updated', metadata: { filename: { from: 'a', to: 'z' } } },
      { action: 'document.tagged', metadata: { tags: ['Year'] } },
      { action: 'document.uploaded' },
    ]);
    expect(await actions(base)).toMatchObject([
      { action: 'knowledge_base.updated', metadata: { tags: { to: fewer.body.data.tags } } },
      { action: 'knowledge_base.updated', metadata: { tags: { from: [], to: defined.body.data.tags } } },
      { action: 'knowledge_base.created' },
    ]);
  });
});

describe('search', () => {
  test('a search gives the best results of several bases in one order', async () => {
    const bases = [];
    for (const name of ['one', 'two', 'three']) {
      const { base } = await knowledge.givenText(`${name}.txt`, `The engine ${name} burns fuel.`);
      bases.push(base);
    }
    const { results, totalResults } = (await knowledge.search(bases, 'engine two')).body.data;
    expect([results[0].documentName, totalResults]).toEqual(['two.txt', 3]);
    const order = results.map((one: { similarity: number }) => one.similarity);
    expect(order).toEqual(order.toSorted((a: number, b: number) => b - a));
    expect(order.every((one: number) => one >= 0 && one <= 1)).toBe(true);
    expect((await knowledge.search(bases, 'engine two', { topK: 2 })).body.data.totalResults).toBe(2);
  });

  test('a search names a base that does not exist, or belongs to another workspace, beside valid bases', async () => {
    const base = await knowledge.givenBase();
    const foreign = (await stack.post(path, { name: 'theirs' }, { 'x-api-key': theirs.key })).body.data
      .knowledgeBase.id;
    for (const missing of [foreign, 'kb_none', 'x'.repeat(500)]) {
      const { status, body } = await knowledge.search([base, missing], 'anything');
      expect([status, body.error.includes(missing.slice(0, 50))]).toEqual([404, true]);
    }
  });
});

describe('file field', () => {
  test('a file field takes an uploaded file, which is kept with the execution', async () => {
    const form = [{ name: 'scan', type: 'file', required: true }];
    const workflow = await stack.givenDeployed({
      blocks: [
        { id: 'ask', type: 'human', params: { title: 'Scan?', form } },
        { id: 'done', type: 'response', params: { data: '{{ ask.scan.name }}' } },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'done' },
      ],
    });
    const { apiUrl, executionId } = await stack.givenPaused(workflow);
    const upload = new FormData();
    upload.append('file', new Blob(['Signed.'], { type: 'text/plain' }), 'paper.txt');
    const kept = await knowledge.send(`${apiUrl}/files`, upload);
    const [file] = kept.body.data.files;
    expect([kept.status, file]).toEqual([
      201,
      {
        id: id('file'),
        name: 'paper.txt',
        size: 7,
        type: 'text/plain',
        url: expect.stringContaining(executionId),
      },
    ]);
    const download = new URL(file.url).pathname;
    expect((await stack.get(download)).body).toBe('Signed.');
    expect((await stack.get(download, { 'x-api-key': theirs.key })).status).toBe(404);
    const other = await stack.givenPaused(workflow);
    expect((await stack.get(download.replace(executionId, other.executionId))).status).toBe(404);
    const answered = await stack.post(apiUrl, { input: { scan: file } });
    expect([answered.status, answered.body.output]).toEqual([200, 'paper.txt']);
    expect((await knowledge.send(`${apiUrl}/files`, upload)).body.code).toBe('ALREADY_RESUMED');
    expect((await stack.post(`${other.apiUrl}/files`, {})).status).toBe(400);
  });
});
