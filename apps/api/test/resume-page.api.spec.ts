import pg from 'pg';
import { Links } from '#libs/runs/pauses/links';
import { Settings } from '#libs/platform/settings/settings';
import { approval, everything } from './support/definitions.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

const hostile = `</textarea></title><script>alert(1)</script>"'><img src=x onerror=alert(1)>`;

let stack: Stack;
let links: Links;
let workflow: string;
beforeAll(async () => {
  stack = await Stack.shared();
  links = new Links(new Settings(stack.env));
  workflow = await stack.givenDeployed(approval);
});
afterAll(() => stack.stop());

/** A run that waits, and the page that its link leads to. */
async function givenQuestion(id = workflow) {
  const { body } = await stack.execute(id);
  const { contextId, resumeLinks } = body.paused.pausePoints[0];
  const { pathname, search } = new URL(resumeLinks.uiUrl);
  return { executionId: String(body.executionId), contextId, path: pathname, page: pathname + search };
}

/** Requests as a browser does: without any key. */
async function browse(page: string, form?: string | [string, string][], headers = {}) {
  const body = form === undefined ? undefined : new URLSearchParams(form);
  const response = await fetch(stack.url + page, { method: body ? 'POST' : 'GET', body, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function pausedOf({ executionId }: { executionId: string }, id = workflow) {
  return (await stack.get(`/api/resume/${id}/${executionId}`)).body;
}

async function expectOpen(question: { executionId: string }, id = workflow) {
  expect(await pausedOf(question, id)).toMatchObject({
    status: 'paused',
    queue: [],
    pausePoints: [{ resumeStatus: 'paused' }],
  });
}

describe('GET /resume/{workflowId}/{executionId}/{contextId}', () => {
  test('GET /resume/{workflowId}/{executionId}/{contextId} shows the question each time and never answers it', async () => {
    const question = await givenQuestion();
    for (let n = 0; n < 2; n++) {
      const { status, text } = await browse(question.page);
      expect(status).toBe(200);
      expect(text.match(/<h1/g)).toHaveLength(1);
      expect(text).toContain('<html lang="en">');
      expect(text).toContain('Approve 1?</h1>');
      expect(text).toContain('Please decide.');
      expect(text).toMatch(
        /<legend id="l0"><span dir="auto">Approved<\/span> <span[^>]*>\(required\)<\/span>/,
      );
      for (const value of ['true', 'false'])
        expect(text).toMatch(
          new RegExp(`<input type="radio" id="f0[-1]*" name="approved" value="${value}">`),
        );
      await expectOpen(question);
    }
    expect((await fetch(stack.url + question.page, { method: 'HEAD' })).status).toBe(200);
    await expectOpen(question);
  });

  test('GET /resume/{workflowId}/{executionId}/{contextId} allows no script, no framing, no caching and no referrer', async () => {
    const question = await givenQuestion();
    for (const page of [question.page, question.path]) {
      const { headers, text } = await browse(page);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
        ),
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
      const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style)));
      expect(headers.get('content-security-policy')).toContain(hash.toString('base64'));
    }
  });

  test('GET /resume/{workflowId}/{executionId}/{contextId} shows a control for every type, with defaults, and values as tables or JSON', async () => {
    const { page } = await givenQuestion(await stack.givenDeployed(everything));
    const { text } = await browse(page);
    for (const part of [
      'name</th><th scope="col" dir="auto" class="num">price</th>',
      '<td dir="auto">ink</td><td dir="auto" class="num"></td></tr>',
      '{\n  &quot;city&quot;: &quot;Ulm&quot;\n}',
      'placeholder="one line"',
      'Several lines.',
      'From 1 to 9.',
      'value="3"',
      'name="sure" value="false"><span dir="auto">No</span>',
      'type="date"',
      'name="size" value="s" checked><span dir="auto">Small</span>',
      'name="colours" value="red" checked>',
      'name="colours" value="blue">',
      'Give the address (URL) of the file.',
    ])
      expect(text).toContain(part);
  });

  test('GET /resume/{workflowId}/{executionId}/{contextId} escapes everything that a workflow or an answer contains', async () => {
    const field = { label: hostile, description: hostile };
    const options = [{ label: hostile, value: hostile }];
    const params = {
      title: hostile,
      message: hostile,
      fields: [hostile, { [hostile]: hostile }, [{ [hostile]: hostile }]].map((value) => ({
        label: hostile,
        value,
      })),
      form: [
        { ...field, name: 'a', type: 'string', placeholder: hostile, default: hostile },
        { ...field, name: 'b', type: 'text', default: hostile },
        { ...field, name: 'c', type: 'select', options, default: hostile },
        { ...field, name: 'd', type: 'multiselect', options },
        { ...field, name: 'e', type: 'json', default: { [hostile]: hostile } },
        { ...field, name: 'f', type: 'file' },
      ],
    };
    const definition = {
      blocks: [{ id: 'ask', type: 'human', params }],
      edges: [{ from: 'start', to: 'ask' }],
    };
    const { page } = await givenQuestion(await stack.givenDeployed(definition));
    const shown = await browse(page);
    const given = ['a', 'b', 'c', 'd', 'e'].map((name): [string, string] => [name, hostile]);
    const wrong = await browse(page, given);
    expect([shown.status, wrong.status]).toEqual([200, 400]);
    for (const { text } of [shown, wrong]) {
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img');
      expect(text).not.toMatch(/<script|<img|<\/textarea><\/title>|"'>/);
    }
  });
});

describe('POST /resume/{workflowId}/{executionId}/{contextId}', () => {
  test('POST /resume/{workflowId}/{executionId}/{contextId} answers once, as the link, and the run completes', async () => {
    const question = await givenQuestion();
    const answered = await browse(question.page, 'approved=false&note=a+%26+b');
    expect(answered.status).toBe(200);
    expect(answered.text).toContain('Your answer was accepted');
    const job = `/api/jobs/${question.executionId.replace('exec_', 'job_')}?wait=60`;
    expect((await stack.get(job)).body).toMatchObject({
      status: 'completed',
      output: { approved: false, note: 'a & b' },
    });
    expect((await pausedOf(question)).queue).toMatchObject([
      { status: 'completed', actor: { kind: 'link', id: question.contextId } },
    ]);
    for (const again of [await browse(question.page), await browse(question.page, 'approved=true')]) {
      expect(again.status).toBe(409);
      expect(again.text).toContain('Already answered');
      expect(again.text).not.toContain('Approve 1?');
    }
    expect((await pausedOf(question)).queue).toHaveLength(1);
  });

  test('POST /resume/{workflowId}/{executionId}/{contextId} reads every type as it is meant', async () => {
    const id = await stack.givenDeployed(everything);
    const question = await givenQuestion(id);
    const form =
      'line=x&lines=a%0D%0Abc&count=+4.5e0&sure=true&day=2026-02-28&size=l&colours=red&colours=blue';
    expect(
      (
        await browse(
          question.page,
          `${form}&data=%7B%22a%22%3A%5B1%5D%7D&scan=+https%3A%2F%2Fa.example%2Fs.pdf`,
        )
      ).status,
    ).toBe(200);
    const job = `/api/jobs/${question.executionId.replace('exec_', 'job_')}?wait=60`;
    expect((await stack.get(job)).body).toMatchObject({ status: 'completed', output: { size: 'l' } });
    expect((await pausedOf(question, id)).queue[0].resumeInput).toEqual({
      line: 'x',
      lines: 'a\nbc',
      count: 4.5,
      sure: true,
      day: '2026-02-28',
      size: 'l',
      colours: ['red', 'blue'],
      data: { a: [1] },
      scan: 'https://a.example/s.pdf',
    });
  });

  test('POST /resume/{workflowId}/{executionId}/{contextId} keeps what a person has cleared from taking its default', async () => {
    const options = ['urgent', 'public'];
    const id = await stack.givenDeployed({
      blocks: [
        {
          id: 'ask',
          type: 'human',
          params: {
            title: 'Sign?',
            form: [
              { name: 'note', type: 'text', default: 'We accept all terms.' },
              { name: 'tags', type: 'multiselect', options, default: ['public'] },
              { name: 'size', type: 'select', options, default: 'public' },
              { name: 'amount', type: 'number', default: 3 },
              { name: 'sure', type: 'boolean', default: true },
            ],
          },
        },
        { id: 'done', type: 'response', params: { data: '{{ ask }}' } },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'done' },
      ],
    });
    const question = await givenQuestion(id);
    const sent = await browse(question.page, [
      ['note', ''],
      ['size', ''],
      ['amount', ''],
      ['sure', ''],
    ]);
    expect(sent.status).toBe(200);
    const { body } = await until(
      () => stack.get(`/api/workflows/${id}/executions/${question.executionId}`),
      (answer) => answer.body.status === 'completed',
    );
    expect(body.output).toMatchObject({ note: '', tags: [], size: null, amount: null, sure: null });
  });

  test('POST /resume/{workflowId}/{executionId}/{contextId} shows the fault beside each field, keeps the given values, and leaves the pause open', async () => {
    const id = await stack.givenDeployed(everything);
    const question = await givenQuestion(id);
    const { status, text } = await browse(
      question.page,
      'line=kept&lines=123456&count=many&sure=&day=2026-02-30&size=xl&colours=pink&data=%7B',
    );
    expect(status).toBe(400);
    const fault = (n: number) => new RegExp(`<div id="e${n}" class="bad">([^<]*)</div>`).exec(text)?.[1];
    expect(Array.from({ length: 9 }, (_, n) => fault(n))).toEqual([
      undefined,
      'It must be at most 5 characters.',
      'It must be a number.',
      'It is required.',
      'Please give a date, such as 2026-02-28.',
      'Please choose from what is offered.',
      'Please choose from what is offered.',
      'It must be well-formed JSON.',
      undefined,
    ]);
    expect(text).toContain('role="alert"');
    expect(text).toContain('value="kept"');
    for (const tied of [
      'aria-labelledby="l3" aria-required="true" aria-describedby="e3"',
      'aria-describedby="d2 e2"',
    ])
      expect(text).toContain(`${tied} aria-invalid="true"`);
    // Back in its field: a browser would throw these two away.
    expect(text).toContain('value="many"');
    expect(text).toMatch(/<input type="text"[^>]* value="2026-02-30">/);
    await expectOpen(question, id);
  });

  test('POST /resume/{workflowId}/{executionId}/{contextId} refuses a form that another site sent', async () => {
    const question = await givenQuestion();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'null' },
      { origin: 'https://elsewhere.example' },
    ])
      expect((await browse(question.page, 'approved=true', headers)).status).toBe(403);
    await expectOpen(question);
    const own = { 'sec-fetch-site': 'same-origin', origin: 'null' };
    expect((await browse(question.page, 'approved=true', own)).status).toBe(200);
  });

  test('POST /resume/{workflowId}/{executionId}/{contextId} takes forms of at most 1 MB, and nothing but forms; says so on a page', async () => {
    const question = await givenQuestion();
    const large = await browse(question.page, `approved=true&note=${'x'.repeat(1024 * 1024)}`);
    const many = await browse(question.page, `approved=true${'&a'.repeat(5000)}`);
    expect([large.status, many.status]).toEqual([413, 400]);
    for (const { text, headers } of [large, many]) {
      expect(text).toMatch(/<h1 dir="auto">This (is too much|could not be read)<\/h1>/);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toContain(`default-src 'none'`);
    }
    expect((await stack.post(question.page, { approved: true })).status).toBe(400);
    await expectOpen(question);
  });

  test('POST /resume/{workflowId}/{executionId}/{contextId} repeats its first response for a second try of the same answer, and for nobody else', async () => {
    const question = await givenQuestion();
    const taken = await browse(question.page, 'approved=false&note=a+%26+b');
    expect(taken.text).toContain('a &amp; b');
    const again = await browse(question.page, 'approved=false&note=a+%26+b');
    expect([again.status, again.text]).toEqual([200, taken.text]);
    const byKey = await givenQuestion();
    await stack.post(`/api${byKey.path}`, { approved: true });
    expect((await browse(byKey.page, 'approved=true')).status).toBe(409);
    expect((await pausedOf(question)).queue).toHaveLength(1);
  });

  test('POST /resume/{workflowId}/{executionId}/{contextId} is the only endpoint that takes a form', async () => {
    const question = await givenQuestion();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of [`/api${question.path}`, `/api/workflows/${workflow}/execute`, '/api/v1/workflows'])
      expect(await stack.post(path, 'approved=true', form)).toMatchObject({
        status: 415,
        body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
      });
    await expectOpen(question);
  });
});

describe('link', () => {
  test('a link opens nothing and tells nothing when it is forged, absent, of another pause or of no pause', async () => {
    const [question, other] = [await givenQuestion(), await givenQuestion()];
    const token = new URLSearchParams(question.page.slice(question.path.length)).get('token') ?? '';
    const [expiry = '', signature = ''] = token.split('.');
    const pages = [
      question.path,
      `${question.path}?token=`,
      `${question.page}&as=`,
      `${question.path}?token=${Number(expiry) + 1}.${signature}`,
      `${question.path}?token=${expiry}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
      `${question.path}?token=${token}&token=${token}`,
      `${other.path}?token=${token}`,
      question.page.replace(question.contextId, other.contextId),
      question.page.replace(question.executionId, 'exec_00000000000000000000000000000000'),
      question.page.replace(question.contextId, "ctx_'%20or%201=1"),
      question.page.replace(question.contextId, '%00'),
    ];
    const seen = new Set<string>();
    for (const page of pages)
      for (const form of [undefined, 'approved=true']) {
        const { status, text } = await browse(page, form);
        expect([page, status]).toEqual([page, 403]);
        seen.add(text);
      }
    expect([...seen]).toEqual([expect.stringContaining('This link is not valid')]);
    expect([...seen].join('')).not.toContain('Approve');
    const { data } = (await stack.get('/api/v1/audit-logs?action=link.refused')).body;
    expect(data).toMatchObject([
      { actorKind: 'anyone', resourceType: 'execution', metadata: { code: 'BAD_LINK' } },
    ]);
    await Promise.all([expectOpen(question), expectOpen(other)]);
  });

  test('a link opens nothing and tells nothing when it has expired', async () => {
    const question = await givenQuestion();
    const target = { ...question, workspaceId: stack.home.id, workflowId: workflow };
    const late = new URL(
      links.uiUrl(target, { registeredAt: new Date(), expiresAt: new Date(Date.now() - 1000) }),
    );
    for (const form of [undefined, 'approved=true']) {
      const { status, text } = await browse(late.pathname + late.search, form);
      expect(status).toBe(403);
      expect(text).toContain('This link has expired');
      expect(text).not.toContain('Approve');
    }
    await expectOpen(question);
  });

  test('a link is issued anew while the pause is open, to readers and with reminders', async () => {
    const hook = await Receiver.start();
    const value = `whsec_${Buffer.from('the secret of the hook, long enough').toString('base64')}`;
    await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/HOOK`, { value });
    const [ask, done] = approval.blocks;
    const told = { notify: { webhook: { url: hook.url(), secret: 'HOOK' } }, reminders: [2] };
    const reminding = { ...ask, params: { ...ask?.params, ...told } };
    const id = await stack.givenDeployed({ ...approval, blocks: [reminding, done] });
    const question = await givenQuestion(id);
    const client = new pg.Client({ connectionString: stack.env.DATABASE_URL });
    await client.connect();
    const aged = `update pause_points set registered_at = now() - interval '40 days' where context_id = $1`;
    await client.query(aged, [question.contextId]);
    await client.end();
    const { pausePoints } = await pausedOf(question, id);
    const [, reminder] = await until(
      async () => hook.received,
      (received) => received.length >= 2,
    );
    const sent = JSON.parse(reminder?.body ?? '').data;
    expect(sent.occasion).toBe('reminder 1');
    for (const { resumeLinks } of [pausePoints[0], sent]) {
      const { pathname, search } = new URL(resumeLinks.uiUrl);
      expect((await browse(pathname + search)).status).toBe(200);
    }
    hook.stop();
  });

  test('a link to a pause that has expired or was cancelled says so', async () => {
    const [ask, done] = approval.blocks;
    const brief = { ...ask, params: { ...ask?.params, expiresAfter: 'PT1S' } };
    const expired = await givenQuestion(await stack.givenDeployed({ ...approval, blocks: [brief, done] }));
    const cancelled = await givenQuestion();
    await stack.post(`/api/workflows/${workflow}/executions/${cancelled.executionId}/cancel`);
    for (const [{ page }, says] of [
      [expired, 'The time to answer this question has passed.'],
      [cancelled, 'The workflow that asked this question has ended.'],
    ] as const) {
      const closed = await until(
        () => browse(page),
        ({ status }) => status === 409,
      );
      expect(closed.text).toContain(says);
      expect(closed.text).not.toContain('Approve');
      expect((await browse(page, 'approved=true')).status).toBe(409);
    }
  });
});
