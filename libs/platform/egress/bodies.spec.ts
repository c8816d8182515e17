import { Readable } from 'node:stream';
import { constants, gzipSync } from 'node:zlib';
import { readCapped } from './body.ts';
import { at, call, failure, givenServers, openGate, text } from './support/given.ts';
import { soon } from '#libs/platform/settings/support/soon';

const given = givenServers();
const mebibyte = 1024 * 1024;

describe('bodies', () => {
  test.each(['/gzip', '/deflate', '/deflate-raw', '/br', '/gzip-br'])(
    'bodies from %s are decoded',
    async (path) => {
      expect(text(await call(at(given.server, path)))).toBe('plain text');
    },
  );

  test.each(['/named-utf-8', '/named-none', '/named-chunked'])(
    'bodies from %s are read, because their encoding changes no byte',
    async (path) => {
      expect(text(await call(at(given.server, path)))).toBe('plain text');
    },
  );

  test.each([
    '/gzip-no-check',
    '/gzip-half-check',
    '/gzip-flushed',
    '/gzip-named',
    '/deflate-no-check',
    '/deflate-raw-flushed',
  ])(
    'bodies from %s are read whole, though their server leaves out the end of the encoding',
    async (path) => {
      expect(text(await call(at(given.server, path)))).toBe('plain text');
    },
  );

  test('bodies are not decoded when they are empty', async () => {
    expect(text(await call(at(given.server, '/gzip-empty')))).toBe('');
    expect(text(await call(at(given.server, '/gzip'), { method: 'HEAD' }))).toBe('');
  });

  test.each([
    '/gzip-layers',
    '/gzip-broken',
    '/gzip-cut',
    '/gzip-two-cut',
    '/gzip-flushed-unframed',
    '/gzip-stored-cut',
    '/br-cut',
    '/odd-encoding',
    '/zstd',
  ])('bodies from %s are refused', async (path) => {
    expect(await failure(call(at(given.server, path)))).toEqual({ code: 'RESPONSE_INVALID', sent: true });
  });

  test('bodies stop at the bound when 200 MiB are packed in 1 KiB', async () => {
    expect(await failure(call(at(given.server, '/bomb')))).toEqual({
      code: 'RESPONSE_TOO_LARGE',
      sent: true,
    });
  });

  test('bodies that are packed are read no further than to the bound', async () => {
    // One byte in eight, so that the buffers of the streams are small beside it.
    const packed = gzipSync(Buffer.alloc(8 * mebibyte), { strategy: constants.Z_HUFFMAN_ONLY });
    let read = 0;
    const parts = function* () {
      for (; read < packed.length; read += 1024) yield packed.subarray(read, read + 1024);
    };
    const body = readCapped(Readable.from(parts()), { encoding: 'gzip', bytesMax: mebibyte, isFramed: true });
    await expect(body).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
    expect(read).toBeLessThan(packed.length / 2);
  });

  test('bodies stop at the bound when they never end, and the connection is closed', async () => {
    const stopped = call(at(given.server, '/endless'), { responseBytesMax: 1_000_000 });
    expect(await failure(stopped)).toEqual({ code: 'RESPONSE_TOO_LARGE', sent: true });
    await soon(() => given.server.open === 0);
  });

  test('bodies are taken when they have exactly the size of the bound', async () => {
    expect(text(await call(at(given.server, '/ok'), { responseBytesMax: 2 }))).toBe('ok');
    expect(await failure(call(at(given.server, '/ok'), { responseBytesMax: 1 }))).toEqual({
      code: 'RESPONSE_TOO_LARGE',
      sent: true,
    });
  });

  test('bodies with 2 MB of headers are not read', async () => {
    expect(await failure(call(at(given.server, '/headers')))).toEqual({
      code: 'RESPONSE_TOO_LARGE',
      sent: true,
    });
  });

  test('bodies behind 20 KB of headers are read where the policy allows these, and the refusal names the setting', async () => {
    const url = at(given.server, '/long-header');
    expect(text(await call(url, {}, { headersBytesMax: 32_768 }))).toBe('ok');
    await expect(call(url)).rejects.toThrow(
      /longer than 16384 bytes. EGRESS_HEADERS_MAX_BYTES is this bound for blocks/,
    );
  });
});

describe('the memory of a body', () => {
  const large = (length: number) => ({ method: 'PUT', body: Buffer.alloc(length, 'x') });

  test('the memory of a body is waited for once when the body is large, for the length that the server names', async () => {
    const waits: number[] = [];
    const enterMemory = async (bytes: number) => void waits.push(bytes);
    const put = (length: number, path = '/echo') =>
      call(at(given.server, path), {
        ...large(length),
        gate: { ...openGate, enterMemory },
        responseBytesMax: mebibyte,
      });
    expect((await put(65_536)).body).toHaveLength(65_536);
    expect(waits).toEqual([]);
    expect((await put(200_000)).body).toHaveLength(200_000);
    await failure(put(1, '/endless'));
    // Neither an answer without a length nor an encoded one says how long it is.
    expect(waits).toEqual([mebibyte, mebibyte]);
    expect((await put(1, '/large')).body).toHaveLength(300_000);
    expect((await put(1, '/large-gzip')).body).toHaveLength(300_000);
    expect(waits.slice(2)).toEqual([300_000, mebibyte]);
  });

  test('the memory of a body that does not come in time ends the call in words, and reads no more of the body', async () => {
    const enterMemory = (_: number, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const refused = await call(at(given.server, '/endless'), {
      gate: { ...openGate, enterMemory },
      timeoutMs: 200,
    }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'TIMEOUT',
      sent: true,
      message: expect.stringContaining('reads too many large answers at once'),
    });
    await soon(() => given.server.open === 0);
  });
});
