import { pure } from './support/definitions.ts';
import { ask, line } from './support/graphs.ts';
import { givenOwner } from './support/sessions.ts';
import { type Answer, Stack, until } from './support/stack.ts';

let stack: Stack;
/** Of its own, because people send from many addresses, and the balancer is believed when it names them. */
beforeAll(async () => {
  stack = await Stack.start({ TRUSTED_PROXIES: '127.0.0.0/8,::1' });
});
afterAll(() => stack.stop());

interface GivenForm {
  workflowId: string;
  id: string;
  path: string;
  /** The path of the page. */
  page: string;
  created: Answer;
}

const hostile = `</textarea></title><script>alert(1)</script>"'><img src=x onerror=alert(1)>`;

async function givenForm({
  workflow = pure,
  form = {},
  ...rest
}: { workflow?: object; form?: object; when?: string; inputs?: object } = {}): Promise<GivenForm> {
  const workflowId = await stack.givenDeployed(workflow);
  const path = `/api/v1/workflows/${workflowId}/triggers`;
  const created = await stack.post(path, {
    kind: 'form',
    name: 'Ask',
    form: { leastSeconds: 0, ...form },
    ...rest,
  });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const { id, url } = created.body.data;
  return { workflowId, id, path: `${path}/${id}`, page: new URL(url).pathname, created };
}

let people = 0;

/** Requests as the browser of one more person does: without any key. */
async function browse(page: string, body?: URLSearchParams | FormData, more = {}) {
  const headers = { 'x-forwarded-for': `198.18.${people >> 8}.${people++ % 256}`, ...more };
  const response = await fetch(stack.url + page, { method: body ? 'POST' : 'GET', body, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Opens the page. Returns what its hidden field holds. */
async function open({ page }: GivenForm): Promise<string> {
  const { text } = await browse(page);
  const [, token] = /name="page\.token" value="([^"]+)"/.exec(text) ?? [];
  if (token === undefined) throw new Error(text);
  return token;
}

const send = (form: GivenForm, token: string, fields: Record<string, string>, query = '') =>
  browse(form.page + query, new URLSearchParams({ 'page.token': token, ...fields }));

const deliveriesOf = async ({ path }: GivenForm): Promise<Answer['body'][]> =>
  (await stack.get(`${path}/deliveries`)).body.data;

describe('a form trigger', () => {
  test('a form shows a field for each input and starts one execution for each page that is sent', async () => {
    const form = await givenForm({
      form: { description: 'Tell us **more**.', ending: { title: 'Noted', text: 'We *call* you.' } },
    });
    const page = await browse(form.page);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Ask</h1>');
    expect(page.text).toContain('<strong>more</strong>');
    expect(page.text).toContain('name="amount"');
    expect(page.text).toContain('name="note"');
    expect(page.text).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const token = await open(form);
    const [first, second] = await Promise.all(
      [1, 2].map(() => send(form, token, { amount: '5', note: 'a' }, '?from=mail')),
    );
    for (const answer of [first, second]) {
      expect(answer?.status).toBe(200);
      expect(answer?.text).toContain('Noted</h1>');
      expect(answer?.text).toContain('<em>call</em>');
    }
    const deliveries = await deliveriesOf(form);
    expect(deliveries).toMatchObject([{ verdict: 'accepted', senderId: `page:${token.split('.')[0]}` }]);
    const { executionId } = deliveries[0];
    const run = await until(
      () => stack.get(`/api/workflows/${form.workflowId}/executions/${executionId}`),
      ({ body }) => body.status === 'completed',
    );
    expect(run.body).toMatchObject({
      trigger: 'form',
      inputs: { amount: 5, note: 'a' },
      actor: { triggerId: form.id },
    });
    expect((await send(form, await open(form), { amount: '5', note: 'a' })).status).toBe(200);
    expect(await deliveriesOf(form)).toHaveLength(2);
  });

  test('a form keeps a text that was cleared from taking its default, and asks for an input that cannot be empty', async () => {
    const inputs = {
      note: { type: 'string', default: 'We accept all terms.' },
      amount: { type: 'number', default: 3 },
      size: { type: 'string', enum: ['s', 'l'], default: 'l' },
    };
    const form = await givenForm({ workflow: { ...pure, start: { inputs } } });
    const refused = await send(form, await open(form), { note: '', amount: '', size: '' });
    expect([refused.status, refused.text.match(/href="#f/g)?.length]).toEqual([400, 2]);
    expect((await send(form, await open(form), { note: '', amount: '4', size: 's' })).status).toBe(200);
    const [{ executionId }] = await deliveriesOf(form);
    const { body } = await stack.get(`/api/workflows/${form.workflowId}/executions/${executionId}`);
    expect(body.inputs).toEqual({ note: '', amount: 4, size: 's' });
  });

  test('a form with own fields gives them to its template with the query, and shows the result', async () => {
    const fields = [
      {
        name: 'size',
        type: 'select',
        label: 'How much?',
        options: [{ label: 'A lot', value: '2000' }],
        required: true,
      },
      { name: 'consent', type: 'boolean' },
    ];
    const form = await givenForm({
      form: { fields, respond: 'result' },
      inputs: { amount: '{{ int(event.body.size) }}', note: '{{ event.query.from }}' },
    });
    const { text, status } = await send(
      form,
      await open(form),
      { size: '2000', consent: 'true' },
      '?from=mail',
    );
    expect(status).toBe(200);
    expect(text).toContain('large');
    const [{ executionId }] = await deliveriesOf(form);
    const { body } = await stack.get(`/api/workflows/${form.workflowId}/executions/${executionId}`);
    expect(body.inputs).toEqual({ amount: 2000, note: 'mail' });
  });

  test('a form that is filled in wrongly is shown again with its faults and starts nothing', async () => {
    const form = await givenForm();
    const token = await open(form);
    const refused = await send(form, token, { amount: 'many', note: hostile });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('It must be a number.');
    expect(refused.text).not.toContain('<script>alert');
    expect(refused.text).not.toContain('<img');
    expect(refused.text).toContain(token);
    expect(await deliveriesOf(form)).toEqual([]);
    expect((await send(form, token, { amount: '3', note: hostile })).status).toBe(200);
    expect(await deliveriesOf(form)).toHaveLength(1);
  });

  test('a form keeps what its author wrote from strangers when a filter or a template fails, and the log has the reason', async () => {
    for (const more of [
      { when: 'event.body.note.contains("vip") || event.body.missing > 3' },
      { inputs: { amount: '{{ int(event.body.note) }}' } },
    ]) {
      const form = await givenForm(more);
      const refused = await send(form, await open(form), { amount: '1', note: 'abc' });
      expect([refused.status, /vip|missing|event|int\(/.exec(refused.text)]).toEqual([400, null]);
      expect(refused.text).toContain('This did not work');
      expect(await deliveriesOf(form)).toMatchObject([{ verdict: 'invalid', executionId: null }]);
    }
  });

  test('a change of a form keeps the settings that it does not name', async () => {
    const form = await givenForm({
      form: { access: 'members', respond: 'result', ending: { text: 'Bye.' } },
    });
    await stack.call('PATCH', form.path, { form: { title: 'New', ending: { title: 'Done' } } });
    expect((await stack.get(form.path)).body.data.form).toMatchObject({
      title: 'New',
      access: 'members',
      respond: 'result',
      leastSeconds: 0,
      ending: { title: 'Done', text: 'Bye.' },
    });
  });

  test('a form escapes what its author wrote', async () => {
    const form = await givenForm({
      form: {
        title: hostile,
        description: hostile,
        fields: [{ name: 'a', type: 'string', label: hostile }],
        ending: { title: hostile, text: hostile },
      },
      inputs: { amount: 1 },
    });
    const pages = [await browse(form.page), await send(form, await open(form), { a: '1' })];
    for (const { text } of pages) {
      expect(text).not.toContain('<script>');
      expect(text).not.toContain('<img');
    }
  });

  test('a form of a workflow that is full asks for another try, and keeps what was filled in', async () => {
    const flow = { concurrency: { limit: 1, onLimit: 'reject' } };
    const form = await givenForm({
      workflow: { start: { flow, inputs: { name: { type: 'string' } } }, ...line(ask('ask')) },
    });
    const fill = async () => new URLSearchParams({ 'page.token': await open(form), name: 'Ann' });
    expect((await browse(form.page, await fill())).status).toBe(200);
    const second = await fill();
    const full = await browse(form.page, second);
    expect([full.status, full.text]).toEqual([429, expect.stringMatching(/send it again[^]*value="Ann"/)]);
    const [, { executionId }] = await deliveriesOf(form);
    const execution = `/api/workflows/${form.workflowId}/executions/${executionId}`;
    await stack.post(`${execution}/cancel`);
    await until(
      () => stack.get(execution),
      ({ body: { status } }) => status === 'cancelled',
    );
    expect((await browse(form.page, second)).status).toBe(200);
  });

  test('a form keeps its files with the execution that it starts', async () => {
    const form = await givenForm({
      workflow: {
        start: {},
        blocks: [{ id: 'end', type: 'response', params: { data: '{{ start.cv.name }}' } }],
        edges: [{ from: 'start', to: 'end' }],
      },
      form: { fields: [{ name: 'cv', type: 'file', required: true }] },
    });
    const token = await open(form);
    const body = () => {
      const data = new FormData();
      data.set('page.token', token);
      data.set('cv', new File(['my life'], 'cv.txt', { type: 'text/plain' }));
      return data;
    };
    expect((await browse(form.page, body())).status).toBe(200);
    expect((await browse(form.page, body())).status).toBe(200);
    const deliveries = await deliveriesOf(form);
    expect(deliveries).toHaveLength(1);
    const run = await until(
      () => stack.get(`/api/workflows/${form.workflowId}/executions/${deliveries[0].executionId}`),
      ({ body: one }) => one.status === 'completed',
    );
    expect(run.body.output).toBe('cv.txt');
    const file = await fetch(stack.url + new URL(run.body.inputs.cv.url).pathname, {
      headers: { 'x-api-key': stack.home.key },
    });
    expect(await file.text()).toBe('my life');
    const twice = body();
    twice.set('page.token', await open(form));
    twice.append('cv', new File(['another life'], 'other.txt', { type: 'text/plain' }));
    expect(await browse(form.page, twice)).toMatchObject({
      status: 400,
      text: expect.stringContaining('Please choose one file: this field takes no second one.'),
    });
    const again = new FormData();
    again.set('page.token', 'old');
    again.set('cv', new File(['my life'], 'cv.txt', { type: 'text/plain' }));
    expect((await browse(form.page, again)).text).toContain('Please choose the file again.');
    const plain = await givenForm();
    expect((await browse(plain.page, body())).status).toBe(415);
    const late = await open(form);
    await stack.post(`${form.path}/pause`);
    const refused = body();
    refused.set('page.token', late);
    expect((await browse(form.page, refused)).status).toBe(409);
    const [{ id }] = await deliveriesOf(form);
    const { data } = (await stack.get(`${form.path}/deliveries/${id}`)).body;
    expect([data.verdict, JSON.parse(data.body)]).toEqual([
      'paused',
      { cv: { name: 'cv.txt', size: 7, type: 'text/plain' } },
    ]);
  });
});

describe('the guards of a form', () => {
  test('a form refuses what is not UTF-8 and a part without a name, and unites line breaks', async () => {
    const form = await givenForm({
      form: {
        fields: [
          { name: 'note', type: 'text' },
          { name: 'cv', type: 'file' },
        ],
      },
      inputs: { amount: 1 },
    });
    const token = await open(form);
    const part = (about: string, text: string) =>
      `--x\r\nContent-Disposition: form-data${about}\r\n\r\n${text}\r\n`;
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', `page.token=${token}&note=%E9`],
      ['application/x-www-form-urlencoded', `page.token=${token}&note=\u00e9`],
      ['multipart/form-data; boundary=x', `${part('; name="page.token"', token)}${part('', '1')}--x--\r\n`],
    ] as const) {
      const post = { method: 'POST', body: Buffer.from(body, 'latin1'), headers: { 'content-type': type } };
      const answer = await fetch(stack.url + form.page, post);
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining('This could not be read'),
      ]);
    }
    await send(form, token, { note: 'a\r\nb' });
    const [{ id }] = await deliveriesOf(form);
    expect((await stack.get(`${form.path}/deliveries/${id}`)).body.data.body).toContain('a\\nb');
  });

  test('a form takes nothing from a page that it has not shown, or that was sent too soon, and keeps what was filled in', async () => {
    const [form, other, slow] = [
      await givenForm(),
      await givenForm(),
      await givenForm({ form: { leastSeconds: 60 } }),
    ];
    const forged = ['', 'x', await open(other)];
    for (const token of forged) {
      const refused = await send(form, token, { amount: '1', note: 'kept' });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('open for too long');
      expect(refused.text).toContain('kept');
      const [, fresh = ''] = /name="page\.token" value="([^"]+)"/.exec(refused.text) ?? [];
      expect(fresh).not.toBe(token);
    }
    const early = await send(slow, await open(slow), { amount: '1' });
    expect([early.status, early.text.includes('very quick')]).toEqual([400, true]);
    expect([...(await deliveriesOf(form)), ...(await deliveriesOf(slow))]).toEqual([]);
  });

  test('a form starts nothing when the field that people do not see is filled in, and does not tell', async () => {
    const form = await givenForm();
    const answered = await send(form, await open(form), {
      amount: '1',
      'website.address': 'https://spam.test',
    });
    expect(answered.status).toBe(200);
    expect(answered.text).toContain('Thank you');
    expect(await deliveriesOf(form)).toMatchObject([
      { verdict: 'filtered', executionId: null, error: { code: 'FORM_TRAP' } },
    ]);
  });

  test('a form takes nothing that another site has sent', async () => {
    const form = await givenForm();
    const body = new URLSearchParams({ 'page.token': await open(form), amount: '1' });
    expect((await browse(form.page, body, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await browse(form.page, body, { origin: 'https://evil.test' })).status).toBe(403);
    expect(await deliveriesOf(form)).toEqual([]);
  });

  test('a form for members asks strangers to sign in, and tells the workflow which member has sent it', async () => {
    const form = await givenForm({ form: { access: 'members' } });
    const shown = await browse(form.page);
    expect([shown.status, shown.text.includes('Please sign in')]).toEqual([401, true]);
    expect((await send(form, 'x', { amount: '1' })).status).toBe(401);
    const { userId, headers } = await givenOwner(stack);
    const page = await browse(form.page, undefined, headers);
    const [, token = ''] = /name="page\.token" value="([^"]+)"/.exec(page.text) ?? [];
    const body = new URLSearchParams({ 'page.token': token, amount: '1' });
    expect((await browse(form.page, body, headers)).status).toBe(200);
    const [{ id }] = await deliveriesOf(form);
    const delivery = (await stack.get(`${form.path}/deliveries/${id}`)).body.data;
    expect(delivery.headers).toEqual({ 'x-holdfast-user': userId });
  });
});

describe('the link of a form', () => {
  test('a form is closed while it is paused or its workflow is undeployed or held, and says so', async () => {
    const form = await givenForm();
    const token = await open(form);
    const expectClosed = async (note = '') => {
      for (const answer of [await browse(form.page), await send(form, token, { amount: '1' })]) {
        expect(answer.status).toBe(409);
        expect(answer.text).toContain('This form is closed');
        expect(answer.text).toContain(note);
      }
    };
    await stack.post(`${form.path}/pause`, { note: 'Back on Monday' });
    await expectClosed('Back on Monday');
    await stack.post(`${form.path}/resume`);
    await stack.call('DELETE', `/api/v1/workflows/${form.workflowId}/deploy`);
    await expectClosed();
    await stack.post(`/api/v1/workflows/${form.workflowId}/deploy`);
    const hold = await stack.post(`/api/v1/workspaces/${stack.home.id}/holds`, {
      workflowId: form.workflowId,
      mode: 'refuse',
      reason: 'A move',
    });
    expect(hold.status).toBe(201);
    await expectClosed();
    await stack.post(`/api/v1/workspaces/${stack.home.id}/holds/${hold.body.data.id}/release`);
    await until(
      () => browse(form.page),
      ({ status }) => status === 200,
    );
    expect((await deliveriesOf(form)).map(({ verdict }) => verdict)).toEqual(['held', 'paused']);
    expect((await send(form, token, { amount: '1' })).status).toBe(200);
  });

  test('a form takes thirty answers a minute from one address, and more from others', async () => {
    const form = await givenForm();
    const token = await open(form);
    const sendFrom = (address: string) =>
      browse(form.page, new URLSearchParams({ 'page.token': token, amount: '1' }), {
        'x-forwarded-for': address,
      });
    const answers = await Promise.all(Array.from({ length: 60 }, () => sendFrom('203.0.113.1')));
    const taken = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(taken.length + refused.length).toBe(60);
    expect(taken.length).toBeGreaterThanOrEqual(30);
    expect(refused.map(({ headers }) => Number(headers.get('retry-after')) > 0)).toContain(true);
    expect((await sendFrom('203.0.113.2')).status).toBe(200);
  });

  test('a link of a form is shown again, is renewed by a rotation, and the former one holds for the overlap', async () => {
    const form = await givenForm();
    const { data } = (await stack.get(form.path)).body;
    expect(data.form).toMatchObject({ url: form.created.body.data.url, access: 'public', fields: null });
    expect(data.webhook).toBeNull();
    const rotated = await stack.post(`${form.path}/rotate`, { url: true, overlapHours: 1 });
    const renewed = new URL(rotated.body.data.url).pathname;
    expect(renewed).not.toBe(form.page);
    expect((await stack.get(form.path)).body.data.form.url).toBe(rotated.body.data.url);
    expect([(await browse(form.page)).status, (await browse(renewed)).status]).toEqual([200, 200]);
    await stack.post(`${form.path}/rotate`, { url: true, overlapHours: 0 });
    expect((await browse(renewed)).status).toBe(404);
    expect((await stack.post(`${form.path}/rotate`, { secret: true })).body.details[0].path).toBe('secret');
    expect((await stack.post(renewed.replace('/forms/', '/hooks/'), { amount: 1 })).status).toBe(404);
  });

  test.each<[string, object, string]>([
    ['an unknown type', { fields: [{ name: 'a', type: 'colour' }] }, 'form.fields[0].type'],
    [
      'two fields of one name',
      {
        fields: [
          { name: 'a', type: 'string' },
          { name: 'a', type: 'string' },
        ],
      },
      'form.fields[1].name',
    ],
    [
      'a template',
      { fields: [{ name: 'a', type: 'string', default: '{{ event.body.a }}' }] },
      'form.fields[0].default',
    ],
    ['fields that are no list', { fields: 'all' }, 'form.fields'],
    ['an unknown member', { colour: 'red' }, 'form.colour'],
    ['an unknown access', { access: 'friends' }, 'form.access'],
  ])('a form with %s is refused and names it', async (_, form, path) => {
    const workflowId = await stack.givenDeployed(pure);
    const refused = await stack.post(`/api/v1/workflows/${workflowId}/triggers`, {
      kind: 'form',
      name: 'Ask',
      form,
    });
    expect(refused.status).toBe(400);
    expect(refused.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });
});
