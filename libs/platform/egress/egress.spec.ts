import { at, call, egressWith, failure, givenServers, openGate, text } from './support/given.ts';

const given = givenServers();

describe('request', () => {
  test('request resolves to status, headers, body and URL', async () => {
    const answer = await call(at(given.server, '/status?a=1'));
    expect({ ...answer, headers: undefined, body: text(answer) }).toEqual({
      status: 418,
      body: 'teapot',
      url: at(given.server, '/status?a=1'),
      redirects: 0,
    });
  });

  test('request sends method, body and headers, and keeps the name in Host', async () => {
    await call(at(given.server, '/ok'), {
      method: 'post',
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json', 'X-Run': '7' },
    });
    const [received] = given.server.received;
    expect(received).toMatchObject({ method: 'POST', path: '/ok', body: '{"a":1}' });
    expect(received?.headers).toMatchObject({
      host: `named.example:${given.server.port}`,
      'content-type': 'application/json',
      'content-length': '7',
      'x-run': '7',
    });
  });

  test.each([
    ["/ok?sig=a%2Fb%2fc+d%20'e'&f&&g==", "/ok?sig=a%2Fb%2fc+d%20'e'&f&&g=="],
    ['/ok?', '/ok?'],
    ['/ok?q=ü "x"#?part', '/ok?q=%C3%BC%20%22x%22'],
    ['/a/../ok/%2e%2F', '/ok/%2e%2F'],
  ])('request leaves the query of %s as it is', async (address, path) => {
    await call(at(given.server, address));
    expect(given.server.received[0]?.path).toBe(path);
  });

  test('request gives bytes back as they were sent', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
    const answer = await call(at(given.server, '/echo'), { method: 'PUT', body: bytes });
    expect(new Uint8Array(answer.body)).toEqual(bytes);
  });

  test('request joins a header that came twice, and keeps cookies apart', async () => {
    const { headers, setCookies } = await call(at(given.server, '/two-cookies'));
    expect([headers['set-cookie'], setCookies]).toEqual(['a=1, b=2', ['a=1', 'b=2']]);
  });

  test('request uses a connection again', async () => {
    const egress = egressWith();
    for (let round = 0; round < 10; round++)
      await egress.request({ method: 'GET', url: at(given.server, '/ok') });
    expect(given.server.connections).toBeLessThan(4);
  });

  test('request takes no notice of proxy variables', async () => {
    process.env['http_proxy'] = process.env['HTTP_PROXY'] = `http://127.0.0.1:${given.other.port}`;
    try {
      expect(text(await call(at(given.server, '/ok')))).toBe('ok');
    } finally {
      delete process.env['http_proxy'];
      delete process.env['HTTP_PROXY'];
    }
    expect(given.other.connections).toBe(0);
  });
});

describe('a call that may not be wanted any more', () => {
  /** The process stands still while it connects: so the call is doubtful once, right before its first byte. */
  const givenDoubtful = (confirm: () => Promise<void>) => {
    let isDoubtful = true;
    const gate = {
      ...openGate,
      isDoubtful: () => isDoubtful,
      confirm: async () => {
        expect(given.server.received).toEqual([]);
        await confirm();
        isDoubtful = false;
      },
    };
    return call(at(given.server, '/ok'), { method: 'POST', body: 'pay', gate });
  };

  test('a call that may not be wanted any more is sent once it is confirmed, on the same connection', async () => {
    let confirmed = 0;
    expect(text(await givenDoubtful(async () => void confirmed++))).toBe('ok');
    expect(confirmed).toBe(1);
    expect(given.server.received.map(({ body }) => body)).toEqual(['pay']);
    expect(given.server.connections).toBe(1);
  });

  test('a call that is not wanted any more is not sent, and ends with the reason of its caller', async () => {
    const taken = new Error('Another attempt has made the call.');
    await expect(givenDoubtful(() => Promise.reject(taken))).rejects.toBe(taken);
    expect(given.server.received).toEqual([]);
  });

  test('a call that is not wanted any more after a redirect stops there', async () => {
    const [first, taken] = [at(given.server, '/ok'), new Error('Another attempt has made the call.')];
    const gate = {
      ...openGate,
      isDoubtful: () => given.server.received.length > 0,
      confirm: () => Promise.reject(taken),
    };
    const turned = at(given.server, `/redirect?307=${encodeURIComponent(first)}`);
    await expect(call(turned, { gate })).rejects.toBe(taken);
    expect(given.server.received).toHaveLength(1);
  });
});

describe('headers of a caller', () => {
  test.each([
    ['Content-Length', '5'],
    ['Transfer-Encoding', 'chunked'],
    ['TE', 'trailers'],
    ['Trailer', 'x'],
    ['Upgrade', 'websocket'],
    ['Expect', '100-continue'],
    ['Keep-Alive', 'timeout=5'],
    ['Proxy-Authorization', 'a'],
    ['HTTP2-Settings', 'a'],
    ['__proto__', 'a'],
    ['Connection', 'upgrade'],
    ['Connection', 'close, x'],
    ['Host', 'a.test/b'],
    ['Host', 'a.test, b.test'],
    ['Host', 'user@a.test'],
    ['Host', ''],
  ])('headers of a caller are refused by their name: %s: %s', async (name, value) => {
    const headers = Object.fromEntries([[name, value]]);
    expect(await failure(call(at(given.server, '/ok'), { headers }))).toContain(`The header ${name} `);
    expect(given.server.connections).toBe(0);
  });

  test.each(['other.example', 'OTHER.example.:8080'])('the header Host is sent as %s', async (host) => {
    await call(at(given.server, '/ok'), { headers: { hOST: host } });
    expect(given.server.received[0]?.headers.host).toBe(host);
  });

  test('the header Host is free where the address is allowed, not the name', async () => {
    const url = `http://127.0.0.1:${given.server.port}/ok`;
    await call(url, { headers: { host: 'shop.example' } }, { allow: ['127.0.0.1'] });
    expect(given.server.received[0]?.headers.host).toBe('shop.example');
  });

  test.each([
    ['named.example', 'shop.example'],
    ['named.example,other.example:1', 'other.example'],
    ['named.example', '127.0.0.1'],
  ])('where only %s is allowed, the header Host is refused for %s', async (allow, host) => {
    const sent = call(at(given.server, '/ok'), { headers: { host } }, { allow: allow.split(',') });
    expect(await failure(sent)).toMatch(new RegExp(`^EgressRefused: The header Host names ${host}`));
    expect(given.server.connections).toBe(0);
  });

  test.each(['close', 'Keep-Alive'])('the header Connection is sent as %s', async (connection) => {
    await call(at(given.server, '/ok'), { headers: { connection } });
    expect(given.server.received[0]?.headers.connection).toBe(connection.toLowerCase());
  });

  test.each([
    ['x', 'a\r\nhost: evil'],
    ['x', 'a\nb'],
    ['x', 'a\0'],
    ['x', '€'],
    ['x y', 'a'],
    ['x:', 'a'],
    ['', 'a'],
    ['x\r\ny', 'a'],
    ['x', 'a'.repeat(70_000)],
  ])('headers of a caller refuse %j', async (name, value) => {
    expect(await failure(call(at(given.server, '/ok'), { headers: { [name]: value } }))).toMatch(
      /^EgressRefused/,
    );
    expect(given.server.connections).toBe(0);
  });

  test.each(['CONNECT', 'TRACE', 'GET /x', 'G\r\nT', ''])('the method %j is refused', async (method) => {
    expect(await failure(call(at(given.server, '/ok'), { method }))).toMatch(/^EgressRefused/);
    expect(given.server.connections).toBe(0);
  });
});

describe('names', () => {
  test('names with one closed address among open ones are not called', async () => {
    const egress = egressWith({ allow: [] }, async () => ['1.1.1.1', '127.0.0.1']);
    expect(await failure(egress.request({ method: 'GET', url: at(given.server, '/ok') }))).toMatch(
      /^EgressRefused/,
    );
    expect(given.server.connections).toBe(0);
  });

  test('names are looked up once, and only the address that was checked is called', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let lookups = 0;
    const egress = egressWith({ allow: ['127.0.0.1'] }, async () => answers[lookups++] ?? []);
    expect(
      text(await egress.request({ method: 'GET', url: at(given.server, '/ok', 'rebind.example') })),
    ).toBe('ok');
    expect(lookups).toBe(1);
    const again = egress.request({ method: 'GET', url: at(given.other, '/ok', 'rebind.example') });
    expect(await failure(again)).toMatch(/^EgressRefused/);
    expect([lookups, given.other.connections]).toEqual([2, 0]);
  });

  test('names fall back to their next address', async () => {
    const egress = egressWith({}, async () => ['255.255.255.255', '127.0.0.1']);
    expect(text(await egress.request({ method: 'GET', url: at(given.server, '/ok') }))).toBe('ok');
  });

  test('names without address fail, and nothing was sent', async () => {
    const empty = egressWith({}, async () => []);
    const broken = egressWith({}, () => Promise.reject(new Error('SERVFAIL')));
    for (const egress of [empty, broken]) {
      const answer = failure(egress.request({ method: 'GET', url: at(given.server, '/ok') }));
      expect(await answer).toEqual({ code: 'DNS_FAILED', sent: false });
    }
  });

  test('names are in error messages, and their addresses are not', async () => {
    const egress = egressWith({ allow: [] }, async () => ['10.11.12.13']);
    expect(await failure(egress.request({ method: 'GET', url: 'http://inside.example/' }))).toBe(
      'EgressRefused: The host inside.example has an address that is not public, so it is not called; the setting EGRESS_ALLOW names the exceptions.',
    );
  });
});
