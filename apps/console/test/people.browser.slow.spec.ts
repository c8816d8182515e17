import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { findObstacles, startBrowser } from '../../api/test/support/browser.ts';
import { approval, pure } from '../../api/test/support/definitions.ts';
import { growOld, ownerToken } from '../../api/test/support/sessions.ts';
import { Stack, until } from '../../api/test/support/stack.ts';
import { letIn, looks, rulesOf, Visitors } from './support/visits.ts';

let stack: Stack;
let browser: Browser;
let owner: Visitors;
let editor: Visitors;
let viewer: Visitors;
let strangers: Visitors;
let ids: { workflow: string; paused: string; question: string };
beforeAll(async () => {
  [stack, browser] = await Promise.all([
    Stack.startPublic({ PRICE_PER_EXECUTION: '0.5' }, { worker: false }),
    startBrowser(),
  ]);
  owner = await Visitors.signIn(stack, browser);
  editor = await Visitors.signIn(stack, browser, 'editor');
  viewer = await Visitors.signIn(stack, browser, 'viewer');
  strangers = Visitors.strangers(stack, browser);
  const workflow = await stack.givenDeployed(approval);
  const { executionId, contextId } = await stack.givenPaused(workflow, { amount: 5000 });
  ids = { workflow, paused: executionId, question: contextId };
});
afterEach(() => Promise.all([owner, editor, viewer, strangers].map((visitors) => visitors.leave())));
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

/** Gives the browser of a page a device that makes passkeys. */
async function giveAuthenticator(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

const at = (path: string) => `/w/${stack.home.id}${path}`;
test('mails about questions are switched off and on in the account', async () => {
  const { page, faults } = await editor.open(at('/account'));
  const box = page.getByRole('checkbox', { name: 'Emails about questions in' }).first();
  expect(await box.isChecked()).toBe(true);
  await box.uncheck();
  await page.getByText('You get no emails from').waitFor();
  await page.reload();
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
  await box.check();
  await page.getByText('You get emails from').waitFor();
  expect(faults).toEqual([]);
});

describe('a sign-in', () => {
  test('a sign-in by the link of the operator opens the console, and the way back after a sign-out shows nothing', async () => {
    const { page, faults } = await strangers.open(`/sign-in#token=${await ownerToken(stack)}`);
    await page.getByText('Waiting for people').waitFor();
    expect(page.url()).not.toContain('token');
    await page.getByRole('link', { name: 'Executions', exact: true }).click();
    await page.getByRole('heading', { name: 'Executions' }).waitFor();
    await page.goto(`${stack.url}/console${at('/account')}`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Executions' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('a sign-in by a passkey works in the browser in which it was made', async () => {
    const { page, faults } = await owner.open(at('/account'));
    await giveAuthenticator(page);
    await page.getByLabel('Name of the device').fill('Laptop');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByText('The passkey was saved.').waitFor();
    // The cookie is left out, so that other tests keep their session.
    await page.context().clearCookies();
    await page.goto(`${stack.url}/console/sign-in?to=${encodeURIComponent(`/console${at('/account')}`)}`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('by a passkey').waitFor();
    await page.getByRole('button', { name: 'Delete Laptop' }).waitFor();
    expect(faults).toEqual([]);
  });

  test.each(looks)('a sign-in is open to everybody %s', async (_, look) => {
    const { page, faults } = await strangers.open('/sign-in', look);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await findObstacles(page, rulesOf(look))).toEqual([]);
    expect(faults).toEqual([]);
  });
});

describe('a person without any way to sign in again', () => {
  test.each(looks)(
    'a person without any way to sign in again is offered a passkey on the first page, which says why, %s',
    async (_, look) => {
      const newcomer = await Visitors.signIn(stack, browser, 'editor');
      const { page, faults } = await newcomer.open(at(''), look);
      await giveAuthenticator(page);
      await page.getByRole('heading', { name: 'Create a passkey now' }).waitFor();
      await page.getByText('An hour after that').waitFor();
      expect(await findObstacles(page, rulesOf(look))).toEqual([]);
      await page.getByRole('button', { name: 'Create a passkey' }).click();
      await page.getByText('The passkey was saved.').waitFor();
      await page.getByRole('heading', { name: 'Create a passkey now' }).waitFor({ state: 'detached' });
      expect(faults).toEqual([]);
      await newcomer.leave();
    },
  );

  test.each(looks)(
    'a person without any way to sign in again makes the first passkey in the question, late, and the change goes on, %s',
    async (_, look) => {
      const newcomer = await Visitors.signIn(stack, browser, 'editor');
      const { page, faults } = await newcomer.open(at('/account'), look);
      await giveAuthenticator(page);
      await page.getByRole('button', { name: 'New key' }).waitFor();
      if (newcomer.person) await growOld(stack, newcomer.person);
      await page.reload();
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Purpose of the key').fill('Night shift');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Sign in again' });
      await question.getByText('You came through a one-time link').waitFor();
      // The first dialog waits, and shows no refusal.
      expect(await page.getByText('Sign in again.').count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await findObstacles(page, rulesOf(look))).toEqual([]);
      await question.getByRole('button', { name: 'Create a passkey' }).click();
      expect(await page.getByTestId('shown-once').textContent()).toMatch(/^sk-holdfast-/);
      expect(await question.count()).toBe(0);
      expect(faults).toEqual([]);
      await newcomer.leave();
    },
  );

  test('a person without any way to sign in again stays signed in when a call of the former session is answered late', async () => {
    const newcomer = await Visitors.signIn(stack, browser, 'editor');
    const { page } = await newcomer.open(at('/account'));
    await giveAuthenticator(page);
    if (newcomer.person) await growOld(stack, newcomer.person);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Purpose of the key').fill('Late shift');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Sign in again' });
    let answerLate = () => {};
    const late = new Promise<void>((resolve) => (answerLate = resolve));
    await page.route('**/api/v1/users/me', async (route) => {
      await late;
      await route.fulfill({ response: await route.fetch({ headers: newcomer.person?.headers ?? {} }) });
    });
    await page.route('**/api/v1/sign-in/passkey', async (route) => {
      const asked = page.waitForRequest('**/api/v1/users/me');
      // A person who comes back from another tab makes the page ask who is signed in.
      await page.evaluate(`dispatchEvent(new Event('focus'))`);
      const call = await asked;
      // The answer has ended the former session, and the page does not have it yet.
      const response = await route.fetch();
      answerLate();
      expect((await call.response())?.status()).toBe(401);
      await page.unroute('**/api/v1/users/me');
      await route.fulfill({ response });
    });
    await question.getByRole('button', { name: 'Create a passkey' }).click();
    expect(await page.getByTestId('shown-once').textContent()).toMatch(/^sk-holdfast-/);
    await newcomer.leave();
  });

  test('a person without any way to sign in again sees the refusal once the question is closed', async () => {
    const newcomer = await Visitors.signIn(stack, browser, 'editor');
    const { page } = await newcomer.open(at('/account'));
    await page.getByRole('button', { name: 'New key' }).waitFor();
    if (newcomer.person) await growOld(stack, newcomer.person);
    await page.reload();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Purpose of the key').fill('Night shift');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('your sign-in is more than an hour old').waitFor();
    await newcomer.leave();
  });
});

test('a workspace whose provider has not confirmed the person says by whom to sign in, and the account stays open', async () => {
  const leaver = await Visitors.signIn(stack, browser, 'viewer');
  const client = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await client.connect();
  await client.query(`update memberships set provider = 'corp' where user_id = $1`, [leaver.person?.userId]);
  await client.end();
  const { page, faults } = await leaver.open(at(''));
  await page.getByRole('heading', { name: 'Sign in with corp' }).waitFor();
  expect(await findObstacles(page)).toEqual([]);
  await page.goto(`${stack.url}/console${at('/account')}`);
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
  expect(faults).toEqual([]);
  await leaver.leave();
});

test('a link of another account asks before it signs in, and names the account', async () => {
  const other = await Visitors.signIn(stack, browser, 'viewer');
  const { page, faults } = await other.open(`/sign-in#token=${await ownerToken(stack)}`);
  await page.getByText('This link signs in as admin@localhost').waitFor();
  expect(await findObstacles(page)).toEqual([]);
  expect((await stack.get('/api/v1/users/me', other.person?.headers)).body.data.id).toBe(
    other.person?.userId,
  );
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Waiting for people').waitFor();
  expect(faults).toEqual([]);
  await other.leave();
});

test('the page of the sign-in leads to no other site, however its address is written', async () => {
  const to = encodeURIComponent('/console/..//127.0.0.1:9/console/');
  const { page } = await strangers.open(`/sign-in?to=${to}#token=${await ownerToken(stack)}`);
  await page.getByText('Waiting for people').waitFor();
  expect(new URL(page.url()).origin).toBe(stack.url);
});

describe('a session', () => {
  test('a session leads its page to the sign-in and back when it is ended elsewhere', async () => {
    const leaving = await Visitors.signIn(stack, browser, 'editor');
    const { page } = await leaving.open(at('/executions'));
    await page.getByRole('heading', { name: 'Executions' }).waitFor();
    const session = `/api/v1/users/me/sessions/${leaving.person?.sessionId}`;
    expect((await stack.call('DELETE', session, undefined, leaving.person?.headers)).status).toBe(200);
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Executions' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toContain('/executions');
    await leaving.leave();
  });

  test('a session stops the first tab, which changes nothing, when another person signs in in a second tab', async () => {
    const { page } = await owner.open(at('/settings'));
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Renamed by mistake');
    if (viewer.person) await letIn(page.context(), stack, viewer.person);
    await page.locator('form', { has: name }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Another person has signed in' }).waitFor();
    const { body } = await stack.get(`/api/v1/workspaces/${stack.home.id}`);
    expect(body.data.name).not.toBe('Renamed by mistake');
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByText('Waiting for people').waitFor();
  });
});

/**
 * Each control that changes something: its page, an element that everybody sees there, and the least role that gets it.
 */
const offers = [
  ['/workflows', 'tbody tr', 'New workflow', 'editor'],
  ['/workflows/WORKFLOW', 'text=No faults', 'Deploy', 'admin'],
  ['/executions/PAUSED', 'main dl', 'Cancel execution', 'editor'],
  ['/inbox?open=QUESTION', 'text=What happens next', 'Yes', 'editor'],
  ['/settings?tab=members', 'main td', 'Invite', 'admin'],
  ['/settings?tab=keys', 'main h2', 'New key', 'admin'],
  ['/settings?tab=secrets', 'main h2', 'New secret', 'admin'],
  ['/settings?tab=mcp', 'main h2', 'New server', 'editor'],
] as const;
const ranks = { viewer: 0, editor: 1, admin: 2 };

test.each(['viewer', 'editor', 'admin'] as const)(
  'a person who is %s is offered only permitted actions',
  async (role) => {
    const person = { viewer, editor, admin: owner }[role];
    const { page } = await person.open(at('/inbox'));
    const found: string[] = [];
    for (const [path, seen, label] of offers) {
      const place = path
        .replace('WORKFLOW', ids.workflow)
        .replace('PAUSED', ids.paused)
        .replace('QUESTION', ids.question);
      await page.goto(`${stack.url}/console${at(place)}`);
      await page.locator(seen).first().waitFor();
      const offered = page.locator('main :is(button:enabled, a.button)', { hasText: label });
      if ((await offered.count()) > 0) found.push(`${path} ${label}`);
    }
    const expected = offers.filter(([, , , least]) => ranks[role] >= ranks[least]);
    expect(found).toEqual(expected.map(([path, , label]) => `${path} ${label}`));
  },
);

test('the API refuses each action that the console does not offer', async () => {
  const calls = [
    ['POST', '/api/v1/workflows', { workspaceId: stack.home.id, name: 'x', definition: approval }, 'editor'],
    ['POST', `/api/v1/workflows/${ids.workflow}/deploy`, undefined, 'admin'],
    ['POST', `/api/v1/workspaces/${stack.home.id}/keys`, { name: 'x', role: 'admin' }, 'admin'],
    ['PUT', `/api/v1/workspaces/${stack.home.id}/secrets/X`, { value: 'x' }, 'admin'],
    [
      'POST',
      `/api/v1/workspaces/${stack.home.id}/invitations`,
      { email: 'x@example.org', role: 'admin' },
      'admin',
    ],
    ['POST', `/api/workflows/${ids.workflow}/execute`, {}, 'editor'],
  ] as const;
  for (const [verb, path, body, least] of calls)
    for (const [role, visitors] of [
      ['viewer', viewer],
      ['editor', editor],
    ] as const)
      if (ranks[role] < ranks[least])
        expect([path, role, (await stack.call(verb, path, body, visitors.person?.headers)).status]).toEqual([
          path,
          role,
          403,
        ]);
});

describe('a key', () => {
  test('an API key is shown once, works, and opens nothing after it is revoked', async () => {
    const { page, faults } = await owner.open(at('/account'));
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Purpose of the key').fill('Night shift');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = (await page.getByTestId('shown-once').textContent()) ?? '';
    expect(key).toMatch(/^sk-holdfast-/);
    expect((await stack.get('/api/v1/workflows', { 'x-api-key': key })).status).toBe(200);
    await page.reload();
    await page.getByRole('cell', { name: 'Night shift', exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke Night shift' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“Night shift” was revoked.').waitFor();
    expect((await stack.get('/api/v1/workflows', { 'x-api-key': key })).status).toBe(401);
    expect(faults).toEqual([]);
  });
});

test('a colleague who is invited accepts in a browser of their own and is in', async () => {
  const { page } = await owner.open(at('/settings?tab=members'));
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Email address').fill('new.colleague@example.org');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  const link = (await page.getByTestId('shown-once').textContent()) ?? '';
  const { page: theirs, faults } = await strangers.open(link.split('/console')[1] ?? '');
  await theirs.getByText('new.colleague@example.org').waitFor();
  expect(await findObstacles(theirs)).toEqual([]);
  await theirs.getByRole('button', { name: 'Accept and sign in' }).click();
  await theirs.getByText('Waiting for people').waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('cell', { name: 'new.colleague@example.org' }).waitFor();
  expect(faults).toEqual([]);
});

test('a secret is kept and never shown again', async () => {
  const { page } = await owner.open(at('/settings?tab=secrets'));
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByLabel('Name', { exact: true }).fill('MAIL_TOKEN');
  await page.getByLabel('Value').fill('swordfish-5512');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('{{ secrets.MAIL_TOKEN }}').waitFor();
  await page.reload();
  await page.getByText('{{ secrets.MAIL_TOKEN }}').waitFor();
  expect(await page.content()).not.toContain('swordfish');
  await page.getByRole('button', { name: 'New value of MAIL_TOKEN' }).click();
  expect(await page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('');
});

describe('the audit log', () => {
  test('the audit log keeps its filters and the open entry in the address', async () => {
    const { page, faults } = await owner.open(at('/audit'));
    await page.getByLabel('Action').fill('workflow.deployed');
    await page.getByLabel('Action').press('Enter');
    await page.getByRole('link', { name: 'workflow.deployed' }).first().click();
    await page.getByRole('dialog').getByText('Position in the chain').waitFor();
    await page.reload();
    await page.getByRole('dialog').getByText('Position in the chain').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Type of resource').fill('table');
    await page.getByLabel('Type of resource').press('Enter');
    await page.getByText('No entry fits these filters').waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('action'), searchParams.get('resourceType')]).toEqual([
      'workflow.deployed',
      'table',
    ]);
    expect(faults).toEqual([]);
  });

  test('the audit log is neither offered nor shown to a person who is not an admin', async () => {
    const { page } = await editor.open(at('/audit'));
    await page.getByText('Workspace admins can read its audit log.').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    const logs = `/api/v1/audit-logs?workspaceId=${stack.home.id}`;
    expect((await stack.get(logs, editor.person?.headers)).status).toBe(403);
  });
});

describe('the usage', () => {
  beforeAll(async () => {
    const workflow = await stack.givenDeployed(pure);
    await stack.execute(workflow, { inputs: { amount: 1 } });
    const booked = async () => (await stack.get('/api/v1/usage')).body.total.cost as number;
    await until(booked, (cost) => cost > 0);
  });

  test('the usage is drawn by day, listed by workflow, and downloaded as CSV', async () => {
    const { page, faults } = await viewer.open(at('/usage'));
    await page.getByRole('img', { name: 'Cost by day' }).locator('rect').first().waitFor();
    await page.getByRole('link', { name: 'By workflow' }).click();
    await page
      .getByRole('cell', { name: /^workflow / })
      .first()
      .waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    expect(await file.failure()).toBeNull();
    expect(await page.getByRole('button', { name: 'Set a cap' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('the usage is bounded by an admin for a member, until the cap is removed', async () => {
    const { page } = await owner.open(at('/usage'));
    await page.getByRole('button', { name: 'Set a cap' }).click();
    await page.getByRole('combobox', { name: 'Member' }).selectOption({ index: 1 });
    await page.getByLabel('Monthly cap').fill('12.5');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: '12.5', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Remove the cap of/ }).click();
    await page.getByText('No member has a cap.').waitFor();
  });
});

const tabs = ['workspace', 'members', 'keys', 'secrets', 'mcp', 'limits'];
const places = [
  '/account',
  '/audit',
  '/usage',
  '/usage?by=kind',
  ...tabs.map((tab) => `/settings?tab=${tab}`),
];

test.each(looks)('account, settings and records are accessible to everybody %s', async (_, look) => {
  const { page, faults } = await owner.open(at('/account'), look);
  const found: string[] = [];
  for (const place of places) {
    await page.goto(`${stack.url}/console${at(place)}`);
    await page.locator('main :is(section h2, summary)').first().waitFor();
    found.push(...(await findObstacles(page, rulesOf(look))).map((one) => `${place}: ${one}`));
  }
  expect(found).toEqual([]);
  expect(faults).toEqual([]);
});
