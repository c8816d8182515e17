import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, constants, crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const gzipped = gzipSync('plain text');
/** A header of gzip with extra bytes, a name, a comment and a check of its own. */
const gzipHeader = (() => {
  const begin = Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 3, 0, 1, 0, 2]);
  const header = Buffer.concat([begin, Buffer.from('name\0comment\0', 'latin1')]);
  const check = crc32(header) & 0xffff;
  return Buffer.concat([header, Buffer.of(check & 0xff, check >> 8)]);
})();
const large = Buffer.alloc(300_000, 'x');
const bomb = gzipSync(gzipSync(Buffer.alloc(200 * 1024 * 1024)));

/** Answers that a hostile server may send to a client. The query gives `to`: `/redirect?307=http://…`. */
const answers: Record<string, Answer> = {
  '/ok': (_, response) => response.end('ok'),
  '/echo': (request, response) => request.pipe(response),
  '/status': (_, response) => response.writeHead(418).end('teapot'),
  '/gzip': (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipped),
  '/deflate': (_, response) =>
    response.setHeader('content-encoding', 'deflate').end(deflateSync('plain text')),
  '/deflate-raw': (_, response) =>
    response.setHeader('content-encoding', 'deflate').end(deflateRawSync('plain text')),
  '/br': (_, response) => response.setHeader('content-encoding', 'br').end(brotliCompressSync('plain text')),
  '/gzip-br': (_, response) =>
    response.setHeader('content-encoding', 'gzip, br').end(brotliCompressSync(gzipped)),
  '/gzip-layers': (_, response) => response.setHeader('content-encoding', 'gzip,gzip,gzip').end(gzipped),
  '/gzip-broken': (_, response) => response.setHeader('content-encoding', 'gzip').end('no gzip at all'),
  '/gzip-cut': (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipped.subarray(0, 20)),
  '/gzip-no-check': (_, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipped.subarray(0, -8)),
  '/gzip-half-check': (_, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipped.subarray(0, -3)),
  '/gzip-flushed': (_, response) =>
    response
      .setHeader('content-encoding', 'gzip')
      .end(gzipSync('plain text', { finishFlush: constants.Z_SYNC_FLUSH })),
  '/gzip-named': (_, response) =>
    response.setHeader('content-encoding', 'gzip').end(Buffer.concat([gzipHeader, gzipped.subarray(10, -8)])),
  '/gzip-two-cut': (_, response) =>
    response.setHeader('content-encoding', 'gzip').end(Buffer.concat([gzipped, gzipped.subarray(0, -9)])),
  '/gzip-flushed-unframed': ({ socket }) =>
    socket.end(
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n'),
        gzipSync('plain text', { finishFlush: constants.Z_SYNC_FLUSH }),
      ]),
    ),
  // The mark of a flush is content here.
  '/gzip-stored-cut': (_, response) =>
    response
      .setHeader('content-encoding', 'gzip')
      .end(gzipSync(Buffer.from('a\0\0\xff\xffXY', 'latin1'), { level: 0 }).subarray(0, -10)),
  '/br-cut': (_, response) => response.setHeader('content-encoding', 'br').end(Buffer.of(3, 0)),
  '/deflate-no-check': (_, response) =>
    response.setHeader('content-encoding', 'deflate').end(deflateSync('plain text').subarray(0, -4)),
  '/deflate-raw-flushed': (_, response) =>
    response
      .setHeader('content-encoding', 'deflate')
      .end(deflateRawSync('plain text', { finishFlush: constants.Z_SYNC_FLUSH })),
  '/gzip-empty': (_, response) => response.setHeader('content-encoding', 'gzip').end(),
  '/named-utf-8': (_, response) => response.setHeader('content-encoding', 'UTF-8').end('plain text'),
  '/named-none': (_, response) => response.setHeader('content-encoding', 'none').end('plain text'),
  '/named-chunked': (_, response) =>
    response.setHeader('content-encoding', 'aws-chunked, gzip').end(gzipSync('plain text')),
  '/zstd': (_, response) => response.setHeader('content-encoding', 'zstd').end('x'),
  '/odd-encoding': (_, response) => response.setHeader('content-encoding', 'zip').end('x'),
  '/bomb': (_, response) => response.setHeader('content-encoding', 'gzip, gzip').end(bomb),
  '/large': (_, response) => response.setHeader('content-length', large.length).end(large),
  '/large-gzip': (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(large)),
  '/endless': (_, response) => pour(response),
  '/trickle': (_, response) => trickle(response),
  '/silent': () => {},
  '/cut': (_, response) =>
    response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy()),
  // The second request on a connection ends it: without an answer, by a reset, or within the answer.
  '/once-closed': ({ socket }, response) => void (isSecond(socket) ? socket.destroy() : response.end('ok')),
  '/once-reset': ({ socket }, response) =>
    void (isSecond(socket) ? socket.resetAndDestroy() : response.end('ok')),
  '/once-begun': ({ socket }, response) =>
    void (isSecond(socket) ? socket.end('HTTP/1.1 2') : response.end('ok')),
  // The server closes the connection when it has answered, and does not say so.
  '/leaving': ({ socket }, response) => response.end('ok', () => socket.end()),
  '/reset': (request) => request.socket.resetAndDestroy(),
  '/garbage': (request) => request.socket.end('SSH-2.0-OpenSSH_9\r\n'),
  '/headers': (request) =>
    request.socket.write(`HTTP/1.1 200 OK\r\n${'x-header: 0123456789\r\n'.repeat(100_000)}\r\n`),
  '/long-header': (_, response) => response.setHeader('x-long', 'x'.repeat(20_000)).end('ok'),
  '/two-cookies': (_, response) => response.setHeader('set-cookie', ['a=1', 'b=2']).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/bytes': (request, response) => {
    const location = Buffer.from(decodeURIComponent(request.url?.split('?')[1] ?? ''), 'base64');
    response.writeHead(302, { location: location.toString('latin1') }).end('moved');
  },
  '/redirect': (request, response) => {
    const [status = '', location = ''] = decodeURIComponent(request.url?.split('?')[1] ?? '').split(/=(.*)/s);
    response.writeHead(Number(status), { location }).end('moved');
  },
};

const seen = new WeakSet<Socket>();

function isSecond(socket: Socket): boolean {
  const isIt = seen.has(socket);
  seen.add(socket);
  return isIt;
}

function pour(response: ServerResponse): void {
  const part = Buffer.alloc(64 * 1024);
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', more);
  more();
}

function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

/** A real server on a loopback port that records every connection and every request. */
export class Hostile {
  readonly received: Received[] = [];
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      const { method = '', url = '', headers } = request;
      const body = (): string => Buffer.concat(parts).toString();
      request.on('end', () => this.received.push({ method, path: url, headers, body: body() }));
      (answers[url.split('?')[0] ?? ''] ?? answers['/ok'])?.(request, response);
    });
    this.server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket.on('close', () => this.sockets.delete(socket)).on('error', () => {}));
    });
  }

  /** Listens on every address of the machine, so that a hit on any of them counts. */
  static async start(): Promise<Hostile> {
    const hostile = new Hostile();
    hostile.server.listen(0);
    await once(hostile.server, 'listening');
    return hostile;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  get open(): number {
    return this.sockets.size;
  }

  forget(): void {
    this.received.length = 0;
    this.connections = 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
