import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { Mailbox } from './support/mailbox.ts';
import { givenMember, type Member, submit } from './support/people.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

const hookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const form = [{ name: 'approved', type: 'boolean', required: true }];

const asking = (params: object) => ({
  blocks: [
    { id: 'ask', type: 'human', params: { title: 'Buy <b>it</b>?', message: 'Now.', form, ...params } },
  ],
  edges: [{ from: 'start', to: 'ask' }],
});

let mailbox: Mailbox;
let stack: Stack;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  stack = await Stack.start({ SMTP_URL: mailbox.url, MAIL_FROM: 'Holdfast <holdfast@example.org>' });
  await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/HOOK`, { value: hookSecret });
});
afterAll(async () => {
  await stack.stop();
  await mailbox.stop();
});

const linkIn = (text: string) => /https?:\S+token=\S+/.exec(text)?.[0] ?? '';

const letters = (address: string, count: number) =>
  until(
    async () => mailbox.to(address),
    (found) => found.length >= count,
  );

describe('mail', () => {
  test('mail goes to each assignee with a link of their own, which answers in their name', async () => {
    const bob = await givenMember(stack, 'bob@example.org');
    const workflow = await stack.givenDeployed(
      asking({ approvals: { required: 2, assignees: ['eva@elsewhere.example', bob.id] } }),
    );
    const { executionId, apiUrl } = await stack.givenPaused(workflow);
    const [toEva] = await letters('eva@elsewhere.example', 1);
    const [toBob] = await letters('bob@example.org', 1);
    expect(toEva).toMatchObject({
      subject: 'Buy <b>it</b>?',
      messageId: expect.stringMatching(/^<notice_[0-9a-f]{32}@holdfast>$/),
    });
    const eva = linkIn(toEva?.text ?? '');
    expect(linkIn(toBob?.text ?? '')).not.toBe(eva);
    const { pathname, search } = new URL(eva);
    expect((await stack.get(pathname + search)).status).toBe(200);
    expect((await stack.get(`/api/resume/${workflow}/${executionId}`)).body.queue).toEqual([]);
    // The link of one, signed for them, opens nothing in the name of another.
    const stolen = eva.replace('eva%40elsewhere.example', 'bob%40example.org');
    expect((await submit(stack, stolen, { approved: 'true' })).status).toBe(403);
    expect((await submit(stack, eva, { approved: 'true' })).status).toBe(200);
    expect((await submit(stack, eva, { approved: 'false' })).status).toBe(409);
    const page = String((await stack.get(pathname + search)).body);
    expect(page).toContain('1 of 2 needed have said yes.');
    expect(page).toContain('eva@elsewhere.example: yes, ');
    const anyone = (await stack.get(`/api/resume/${workflow}/${executionId}`)).body.pausePoints[0].resumeLinks
      .uiUrl;
    const refused = await submit(stack, anyone, { approved: 'true' });
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.stringContaining('does not say who you are'),
    ]);
    const done = await stack.post(apiUrl, { input: { approved: true } }, bob.headers);
    expect(done.body).toMatchObject({
      status: 'completed',
      output: { votes: [{ person: 'eva@elsewhere.example' }, { person: bob.id }] },
    });
  });

  test('mail goes to no member who has switched mails off, and still goes to the others', async () => {
    const off = await givenMember(stack, 'off@example.org');
    const own = `/api/v1/users/me/workspaces/${stack.home.id}`;
    const changed = await stack.call('PATCH', own, { pauseMails: false }, off.headers);
    expect(changed.body.data).toMatchObject({ id: stack.home.id, pauseMails: false });
    const me = await stack.get('/api/v1/users/me', off.headers);
    expect(me.body.data.workspaces).toMatchObject([{ pauseMails: false }]);
    const assignees = [off.id, 'on@example.org'];
    const workflow = await stack.givenDeployed(asking({ approvals: { required: 1, assignees } }));
    const { apiUrl } = await stack.givenPaused(workflow);
    expect(await letters('on@example.org', 1)).toHaveLength(1);
    const { body } = await until(
      () => stack.get(`${apiUrl}/trail`),
      (trail) => JSON.stringify(trail.body).includes('the receiver has switched mails off'),
    );
    expect(body.data).toContainEqual(expect.objectContaining({ event: 'not told', who: 'off@example.org' }));
    expect(mailbox.to('off@example.org')).toEqual([]);
    await stack.call('PATCH', own, { pauseMails: true }, off.headers);
    await stack.givenPaused(workflow);
    expect(await letters('off@example.org', 1)).toHaveLength(1);
  });

  test('mail cannot be switched by a caller outside the workspace', async () => {
    const { id } = await stack.givenWorkspace('of others');
    const stranger = await givenMember(stack, 'stranger@example.org');
    const path = `/api/v1/users/me/workspaces/${id}`;
    const refused = await stack.call('PATCH', path, { pauseMails: false }, stranger.headers);
    expect(refused.status).toBe(404);
    const byKey = await stack.call('PATCH', `/api/v1/users/me/workspaces/${stack.home.id}`, {
      pauseMails: false,
    });
    expect(byKey.status).toBe(403);
  });

  test('mail is sent again under the same id when the server had no time', async () => {
    mailbox.refuse = true;
    const workflow = await stack.givenDeployed(asking({ notify: { emails: ['late@example.org'] } }));
    const { apiUrl } = await stack.givenPaused(workflow);
    await until(
      () => stack.get(`${apiUrl}/trail`),
      ({ body }) => JSON.stringify(body).includes('busy'),
    );
    mailbox.refuse = false;
    expect(await letters('late@example.org', 1)).toHaveLength(1);
    const { body } = await until(
      () => stack.get(`${apiUrl}/trail`),
      (trail) => trail.body.data.some(({ event }: { event: string }) => event === 'told'),
    );
    expect(body.data).toContainEqual(expect.objectContaining({ event: 'told', who: 'late@example.org' }));
  });

  test('mail reminds the people who have not answered, and asks others after the escalation time', async () => {
    const workflow = await stack.givenDeployed(
      asking({
        approvals: { required: 2, assignees: ['x@example.org', 'y@example.org'] },
        // Late enough for an answer before it on a busy machine.
        reminders: [15],
        escalation: { after: 17, to: ['boss@example.org'] },
      }),
    );
    const { executionId } = await stack.givenPaused(workflow);
    const [toX] = await letters('x@example.org', 1);
    expect((await submit(stack, linkIn(toX?.text ?? ''), { approved: 'true' })).status).toBe(200);
    const [toBoss] = await letters('boss@example.org', 1);
    expect(mailbox.to('y@example.org').map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['Buy <b>it</b>?', 'Reminder: Buy <b>it</b>?']),
    );
    expect(mailbox.to('x@example.org')).toHaveLength(1);
    expect((await submit(stack, linkIn(toBoss?.text ?? ''), { approved: 'true' })).status).toBe(200);
    await until(
      () => stack.get(`/api/workflows/${workflow}/executions/${executionId}`),
      ({ body }) => body.status === 'completed',
    );
  });
});

describe('person', () => {
  const twoOf = (...assignees: string[]) =>
    stack.givenDeployed(asking({ approvals: { required: 2, assignees } }));
  const linkTo = async (address: string) => linkIn((await letters(address, 1))[0]?.text ?? '');
  const remove = ({ id }: Member) =>
    stack.call('DELETE', `/api/v1/workspaces/${stack.home.id}/members/${id}`);
  const yes = { approved: true };
  const votesOf = async (workflow: string, executionId: string) => {
    const { body } = await stack.get(`/api/resume/${workflow}/${executionId}`);
    return [body.status, body.pausePoints[0].approvals.votes.map(({ person }: { person: string }) => person)];
  };

  test('a person has one vote when they leave between a vote by key and their mailed link, and when they come back', async () => {
    const cara = await givenMember(stack, 'cara@example.org');
    const workflow = await twoOf('cara@example.org', 'ben@example.org');
    const { executionId, apiUrl } = await stack.givenPaused(workflow);
    const link = await linkTo('cara@example.org');
    expect((await stack.post(apiUrl, yes, cara.headers)).status).toBe(200);
    expect((await remove(cara)).status).toBe(200);
    const byLink = await submit(stack, link, { approved: 'true' });
    expect([byLink.status, /This link has expired/.test(byLink.body)]).toEqual([403, true]);
    const again = await givenMember(stack, 'cara@example.org');
    expect(again.id).not.toBe(cara.id);
    expect(await stack.post(apiUrl, yes, again.headers)).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_VOTED' },
    });
    expect((await submit(stack, link, { approved: 'true' })).status).toBe(409);
    expect(await votesOf(workflow, executionId)).toEqual(['paused', [cara.id]]);
  });

  test('a person has one vote when they become a member after a vote by their mailed link', async () => {
    const workflow = await twoOf('dora@example.org', 'ben@example.org');
    const { executionId, apiUrl } = await stack.givenPaused(workflow);
    expect((await submit(stack, await linkTo('dora@example.org'), { approved: 'true' })).status).toBe(200);
    const dora = await givenMember(stack, 'dora@example.org');
    expect(await stack.post(apiUrl, yes, dora.headers)).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_VOTED' },
    });
    expect(await votesOf(workflow, executionId)).toEqual(['paused', ['dora@example.org']]);
  });

  test('a person may not answer the run they started after leaving, nor after coming back as another user', async () => {
    const eve = await givenMember(stack, 'eve@example.org');
    const workflow = await stack.givenDeployed(asking({ approvals: { assignees: ['eve@example.org'] } }));
    const { body } = await stack.execute(workflow, {}, eve.headers);
    const { apiUrl } = body.paused.pausePoints[0].resumeLinks;
    const link = await linkTo('eve@example.org');
    expect((await submit(stack, link, { approved: 'true' })).status).toBe(403);
    await remove(eve);
    const left = await submit(stack, link, { approved: 'true' });
    expect([left.status, /This link has expired/.test(left.body)]).toEqual([403, true]);
    const again = await givenMember(stack, 'eve@example.org');
    expect(await stack.post(new URL(apiUrl).pathname, yes, again.headers)).toMatchObject({
      status: 403,
      body: { code: 'STARTER_MAY_NOT_ANSWER' },
    });
    expect(await votesOf(workflow, body.executionId)).toEqual(['paused', []]);
  });

  test('a person gets no reminders of earlier requests after leaving', async () => {
    const hal = await givenMember(stack, 'hal@example.org');
    const assignees = ['hal@example.org', 'stays@example.org'];
    const asks = asking({ approvals: { required: 2, assignees }, reminders: [15] });
    await stack.givenPaused(await stack.givenDeployed(asks));
    await linkTo('hal@example.org');
    await remove(hal);
    await letters('stays@example.org', 2);
    expect(mailbox.to('hal@example.org')).toHaveLength(1);
  });

  test('a person is a guest under one name, after leaving, for later requests to their address', async () => {
    const gus = await givenMember(stack, 'gus@example.org');
    await remove(gus);
    const workflow = await twoOf('gus@example.org', 'ben@example.org');
    const { executionId } = await stack.givenPaused(workflow);
    const link = await linkTo('gus@example.org');
    expect((await submit(stack, link, { approved: 'true' })).status).toBe(200);
    expect(await votesOf(workflow, executionId)).toEqual(['paused', [gus.id]]);
  });
});

describe('mails of a workspace', () => {
  test('the mails of a workspace to people outside of it are dropped beyond their number for a day, and the trail says why', async () => {
    const workspace = await stack.givenWorkspace('mails');
    const headers = { 'x-api-key': workspace.key };
    const owner = new pg.Client({ connectionString: stack.env.DATABASE_URL });
    await owner.connect();
    await owner.query(
      `insert into rate_buckets (owner, kind, tokens, updated_at) values ($1, 'outside_mail', 1.5, now())`,
      [workspace.id],
    );
    await owner.end();
    const emails = ['first@outside.example', 'second@outside.example', 'admin@localhost'];
    const workflow = await stack.givenDeployed(asking({ notify: { emails } }), headers);
    const { body } = await stack.execute(workflow, {}, headers);
    const trail = `${new URL(body.paused.pausePoints[0].resumeLinks.apiUrl).pathname}/trail`;
    const told = await until(
      () => stack.get(trail, headers),
      (answer) =>
        answer.body.data.filter(({ event }: { event: string }) => /^(not )?told$/.test(event)).length === 3,
    );
    expect(JSON.stringify(told.body.data)).toContain('OUTSIDE_MAILS_PER_DAY (200)');
    const sentTo = (...addresses: string[]) => addresses.flatMap((address) => mailbox.to(address)).length;
    expect([sentTo('first@outside.example', 'second@outside.example'), sentTo('admin@localhost')]).toEqual([
      1, 1,
    ]);
  });
});

describe('a trigger that is switched off', () => {
  let owner: pg.Client;
  beforeAll(async () => {
    owner = new pg.Client({ connectionString: stack.env.DATABASE_URL });
    await owner.connect();
  });
  afterAll(() => owner.end());

  const givenTrigger = async (headers: Record<string, string>) => {
    const workflow = await stack.givenDeployed(asking({}));
    const hook = { kind: 'webhook', name: 'Help desk', webhook: { scheme: 'bearer' } };
    const { data } = (await stack.post(`/api/v1/workflows/${workflow}/triggers`, hook, headers)).body;
    const { id, url } = data;
    return {
      id,
      path: `/api/v1/workflows/${workflow}/triggers/${id}`,
      hook: new URL(url).pathname,
      workflow,
    };
  };

  const toldOf = async (id: string) =>
    (await owner.query('select * from notices where trigger_id = $1 order by created_at', [id])).rows;

  const switchOff = (id: string) =>
    owner.query(
      `update triggers set status = 'disabled', note = 'Forged.', revision = revision + 1 where id = $1`,
      [id],
    );

  test('a trigger that is switched off by forgeries is told its user by one mail, also when the worker is killed before', async () => {
    const zoe = await givenMember(stack, 'zoe@example.org');
    const trigger = await givenTrigger(zoe.headers);
    const forge = async () => {
      for (let n = 0; n < 100; n++)
        await stack.post(trigger.hook, {}, { 'x-api-key': '', authorization: 'Bearer forged' });
    };
    mailbox.refuse = true;
    await forge();
    await until(
      () => toldOf(trigger.id),
      (rows) => rows.some(({ last_error }) => last_error !== null),
    );
    await stack.worker?.kill('SIGKILL');
    mailbox.refuse = false;
    await stack.startWorker();
    const [told] = await letters(zoe.email, 1);
    expect(told?.subject).toBe('Trigger switched off: Help desk');
    expect(told?.text).toContain('100 deliveries in a row were forged.');
    expect(told?.text).toContain(`/console/w/${stack.home.id}/workflows/${trigger.workflow}?tab=triggers`);
    await stack.post(`${trigger.path}/resume`, undefined, zoe.headers);
    await forge();
    expect(await letters(zoe.email, 2)).toHaveLength(2);
    expect((await toldOf(trigger.id)).map(({ target }) => target)).toEqual([zoe.email, zoe.email]);
  });

  test('a trigger that is switched off is told the maker of its key, and the admins when that one has left', async () => {
    const ann = await givenMember(stack, 'ann@example.org', 'admin');
    const named = { name: 'Desk', role: 'editor' };
    const made = await stack.post(`/api/v1/workspaces/${stack.home.id}/keys`, named, ann.headers);
    const trigger = await givenTrigger({ 'x-api-key': made.body.data.key });
    await switchOff(trigger.id);
    await letters(ann.email, 1);
    expect((await toldOf(trigger.id)).map(({ target }) => target)).toEqual([ann.email]);
    await stack.call('DELETE', `/api/v1/workspaces/${stack.home.id}/members/${ann.id}`);
    await stack.post(`${trigger.path}/resume`);
    // As if the key had resumed it.
    await owner.query(`update triggers set actor = $2 where id = $1`, [
      trigger.id,
      JSON.stringify({ kind: 'key', id: made.body.data.id }),
    ]);
    await switchOff(trigger.id);
    const isOfTrigger = ({ subject }: { subject: string }) => subject === 'Trigger switched off: Help desk';
    await until(
      async () => mailbox.to('admin@localhost'),
      (found) => found.some(isOfTrigger),
    );
    expect((await toldOf(trigger.id)).map(({ target }) => target)).toEqual([ann.email, 'admin@localhost']);
  });
});

describe('webhook', () => {
  testInWhole(
    'a webhook of one workspace comes at once while another has many that are never answered',
    async () => {
      let [open, mostOpen] = [0, 0];
      const held = await Receiver.start((_, response) => {
        mostOpen = Math.max(mostOpen, ++open);
        response.on('close', () => (open -= 1));
      });
      const quick = await Receiver.start();
      const [loud, quiet] = [await stack.givenWorkspace('loud'), await stack.givenWorkspace('quiet')];
      const pauses = async ({ id, key }: { id: string; key: string }, url: string, count: number) => {
        const headers = { 'x-api-key': key };
        await stack.call('PUT', `/api/v1/workspaces/${id}/secrets/HOOK`, { value: hookSecret }, headers);
        const notify = { webhook: { url, secret: 'HOOK' } };
        const workflow = await stack.givenDeployed(asking({ notify }), headers);
        for (let n = 0; n < count; n++)
          await stack.execute(workflow, { inputs: { n } }, { ...headers, 'x-execution-mode': 'sync' });
      };
      await pauses(loud, held.url('/{{ start.n }}'), 60);
      await until(
        async () => held.received.length,
        (count) => count >= 4,
      );
      await pauses(quiet, quick.url('/quick'), 1);
      await until(
        async () => quick.received,
        ({ length }) => length === 1,
      );
      // One host of a workspace has few places, whatever the paths are.
      expect(mostOpen).toBeLessThan(10);
      held.stop();
      quick.stop();
    },
  );

  test('a webhook is signed, comes after the commit, and again under the same id until it is taken', async () => {
    const seen: number[] = [];
    const hook = await Receiver.start((call, response) => {
      response.statusCode = hook.received.length === 1 ? 500 : 200;
      response.end('{}');
      const { data } = JSON.parse(call.body);
      const { pathname } = new URL(data.resumeLinks.apiUrl);
      void stack.get(`${pathname}/trail`).then(({ status }) => seen.push(status));
    });
    const workflow = await stack.givenDeployed(
      asking({ notify: { webhook: { url: hook.url('/paused'), secret: 'HOOK' } } }),
    );
    const { executionId, contextId } = await stack.givenPaused(workflow);
    const [first, second] = await until(
      async () => hook.received,
      (received) => received.length >= 2,
    );
    if (!first || !second) throw new Error('there are two');
    const event = new Webhook(hookSecret).verify(second.body, second.headers as Record<string, string>);
    expect(event).toMatchObject({
      type: 'execution.paused',
      data: { occasion: 'opened', executionId, contextId, title: 'Buy <b>it</b>?' },
    });
    expect([first.headers['webhook-id'], first.body]).toEqual([second.headers['webhook-id'], second.body]);
    expect(seen.every((status) => status === 200)).toBe(true);
    hook.stop();
  });
});

describe('receiver that does not answer', () => {
  testInWhole('a receiver that does not answer delays no message to another', async () => {
    let given = false;
    const [slow, quick] = [
      await Receiver.start((_, response) => void response.once('close', () => (given = true))),
      await Receiver.start((_, response) => void response.end('{}')),
    ];
    const told = async (hook: Receiver) => {
      const workflow = await stack.givenDeployed(
        asking({ notify: { webhook: { url: hook.url('/paused'), secret: 'HOOK' } } }),
      );
      await stack.givenPaused(workflow);
      await until(
        async () => hook.received,
        ({ length }) => length > 0,
      );
    };
    await told(slow);
    await told(quick);
    expect(given).toBe(false);
    slow.stop();
    quick.stop();
  });
});

describe('definition', () => {
  test.each([
    [
      'a quorum that nobody can reach',
      { approvals: { required: 2, assignees: ['a@b.c'] } },
      'approvals.required',
      'max',
    ],
    [
      'no field that says yes or no',
      { approvals: { decision: 'ok' } },
      'approvals.decision',
      'decision_field',
    ],
    [
      'a reminder after the end',
      { approvals: {}, reminders: ['P2D'], expiresAfter: 'P1D' },
      'reminders[0]',
      'after_expiry',
    ],
    [
      'an escalation without approvals',
      { escalation: { after: 9, to: ['a@b.c'] } },
      'escalation',
      'needs_approvals',
    ],
    ['reminders for nobody', { reminders: [9] }, 'reminders', 'needs_notify'],
    ['a field named votes', { form: [{ name: 'votes', type: 'json' }] }, 'form[0].name', 'reserved_name'],
  ])('a definition is refused with %s', async (_, params, path, code) => {
    const { body } = await stack.post('/api/v1/workflows/validate', { definition: asking(params) });
    expect(body.data.faults).toContainEqual(
      expect.objectContaining({ path: `blocks[0].params.${path}`, code }),
    );
  });
});
