import { pure } from './support/definitions.ts';
import { givenMember } from './support/people.ts';
import { Stack, until, type Workspace } from './support/stack.ts';

interface Entry {
  id: string;
  action: string;
  actorId: string | null;
  resourceId: string;
  metadata: Record<string, unknown>;
}

let stack: Stack;
let home: Workspace;
let mine: Record<string, string>;

beforeAll(async () => {
  stack = await Stack.shared();
  home = await stack.givenWorkspace('audited');
  mine = { 'x-api-key': home.key };
});
afterAll(() => stack?.stop());

/** The oldest first. */
const entries = async (query: string, headers = mine): Promise<Entry[]> =>
  (await stack.get(`/api/v1/audit-logs?limit=100${query}`, headers)).body.data.toReversed();
const metadataOf = (found: Entry[]) => found.map(({ metadata }) => metadata);

describe('export', () => {
  test('an export leaves an entry with its filters when it exports logs or usage, and none when it is refused', async () => {
    for (const path of [
      '/api/v1/logs/export?status=made-up',
      '/api/v1/logs/export?startDate=2026-02-02&endDate=2026-02-01',
      '/api/v1/usage/export?startDate=2026-02-02&endDate=2026-02-01',
    ])
      expect([path, (await stack.get(path, mine)).status]).toEqual([path, 400]);
    expect(await entries('&action=logs.exported')).toEqual([]);
    expect(await entries('&action=usage.exported')).toEqual([]);
    const filters = 'status=failed,completed&search=acme&startDate=2026-02-01&details=full';
    expect((await stack.get(`/api/v1/logs/export?${filters}`, mine)).status).toBe(200);
    expect((await stack.get('/api/v1/logs/export', mine)).status).toBe(200);
    const days = 'groupBy=workflow&startDate=2026-02-01&endDate=2026-02-03';
    expect((await stack.get(`/api/v1/usage/export?${days}`, mine)).status).toBe(200);
    expect(metadataOf(await entries('&action=logs.exported'))).toEqual([
      {
        filters: { statuses: ['failed', 'completed'], search: 'acme', from: '2026-02-01T00:00:00.000Z' },
        details: 'full',
        includeFinalOutput: false,
      },
      { filters: {}, details: 'basic', includeFinalOutput: false },
    ]);
    expect(metadataOf(await entries('&action=usage.exported'))).toEqual([
      { groupBy: 'workflow', from: '2026-02-01', to: '2026-02-03' },
    ]);
  });

  test('an export leaves an entry when it downloads the file of a document, and none when there is no file', async () => {
    const made = await stack.post('/api/v1/knowledge', { workspaceId: home.id, name: 'Manuals' }, mine);
    const documents = `/api/v1/knowledge/${made.body.data.knowledgeBase.id}/documents`;
    const added = await stack.post(documents, { text: 'How it works.', filename: 'how.txt' }, mine);
    const { id } = added.body.data.document;
    expect((await stack.get(`${documents}/${id}/content`, mine)).status).toBe(200);
    expect((await stack.get(`${documents}/doc_made_up/content`, mine)).status).toBe(404);
    expect(await entries('&action=document.exported')).toMatchObject([
      { resourceType: 'document', resourceId: id, metadata: { filename: 'how.txt' } },
    ]);
  });
});

test('a deploy, a rollback and an undeploy are found by the id of the workflow, each by its verb', async () => {
  const id = await stack.givenDeployed(pure, mine);
  const path = `/api/v1/workflows/${id}`;
  for (const [method, end] of [
    ['POST', 'deploy'],
    ['POST', 'rollback'],
    ['DELETE', 'deploy'],
    ['POST', 'deploy'],
  ] as const)
    expect((await stack.call(method, `${path}/${end}`, undefined, mine)).status).toBe(200);
  await stack.call('PATCH', path, { name: 'Renamed' }, mine);
  const found = await entries(`&resourceId=${id}`);
  expect(found.map(({ action, metadata }) => [action, metadata['live_version']])).toEqual([
    ['workflow.created', null],
    ['workflow.deployed', { from: null, to: 1 }],
    ['workflow.deployed', { from: 1, to: 2 }],
    ['workflow.rolled_back', { from: 2, to: 1 }],
    ['workflow.undeployed', { from: 1, to: null }],
    ['workflow.deployed', { from: null, to: 3 }],
    ['workflow.updated', undefined],
  ]);
  const deployments = await entries('&action=deployment.created');
  const [first, second, third] = deployments.map(({ resourceId }) => resourceId);
  const named = found.map(({ metadata }) => metadata['deployment']);
  expect(named).toEqual([undefined, first, second, first, undefined, third, undefined]);
});

describe('refused attempt', () => {
  test('a refused attempt leaves an entry in the workspace whose logs were asked for', async () => {
    const { id, key } = await stack.givenWorkspace('looked at');
    const ours = { 'x-api-key': key };
    const eve = await givenMember(stack, 'eve@looked.example', 'editor', { id, key });
    await stack.call('PATCH', `/api/v1/workspaces/${id}`, { personalKeysAllowed: false }, ours);
    const paths = ['/api/v1/logs', '/api/v1/logs/export'];
    for (const path of paths) {
      expect((await stack.get(`${path}?workspaceId=${id}`, mine)).status).toBe(404);
      const personal = await until(
        () => stack.get(`${path}?workspaceId=${id}`, eve.headers),
        ({ status }) => status === 403,
      );
      expect(personal.body.code).toBe('PERSONAL_KEYS_DISABLED');
    }
    const leaving = `/api/v1/users/me/workspaces/${id}`;
    const far = await givenMember(stack, 'far@looked.example', 'editor', home);
    expect((await stack.call('DELETE', leaving, undefined, far.headers)).status).toBe(404);
    const found = await until(
      () => entries('&action=access.refused', ours),
      ({ length }) => length >= 5,
    );
    const shown = found.map(({ actorId, metadata }) => [actorId === eve.id, metadata]);
    const get = (code: string, path: string) => ({ code, method: 'GET', path });
    expect(shown).toHaveLength(5);
    expect(shown).toEqual(
      expect.arrayContaining([
        ...paths.map((path) => [false, get('NOT_FOUND', path)]),
        ...paths.map((path) => [true, get('PERSONAL_KEYS_DISABLED', path)]),
        [false, { code: 'NOT_FOUND', method: 'DELETE', path: '/api/v1/users/me/workspaces/:workspaceId' }],
      ]),
    );
  });

  test('a refused attempt leaves an entry with the requested resource', async () => {
    const { id, key } = await stack.givenWorkspace('tried');
    const ours = { 'x-api-key': key };
    const workflow = await stack.givenDeployed(pure, ours);
    const keys = `/api/v1/workspaces/${id}/keys`;
    const viewer = (await stack.post(keys, { name: 'viewer', role: 'viewer' }, ours)).body.data;
    const asViewer = { 'x-api-key': viewer.key };
    expect((await stack.post(`/api/v1/workflows/${workflow}/deploy`, {}, asViewer)).status).toBe(403);
    expect((await stack.call('DELETE', `${keys}/${viewer.id}`, undefined, asViewer)).status).toBe(403);
    expect((await stack.post('/api/v1/workflows', {}, asViewer)).status).toBe(403);
    expect(metadataOf(await entries('&action=access.refused', ours))).toEqual([
      { code: 'FORBIDDEN', method: 'POST', path: '/api/v1/workflows/:workflowId/deploy', id: workflow },
      {
        code: 'FORBIDDEN',
        method: 'DELETE',
        path: '/api/v1/workspaces/:workspaceId/keys/:keyId',
        id: viewer.id,
      },
      { code: 'FORBIDDEN', method: 'POST', path: '/api/v1/workflows' },
    ]);
  });
});

describe('entry', () => {
  test('an entry is read by its id, and a query that it does not have is refused', async () => {
    const [one] = await entries('');
    const path = `/api/v1/audit-logs/${one?.id ?? ''}`;
    expect((await stack.get(`${path}?workspaceId=${home.id}`, mine)).body.data).toEqual(one);
    expect(await stack.get(`${path}?who=me`, mine)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'who' }] },
    });
  });
});
