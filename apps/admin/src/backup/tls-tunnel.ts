import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, isIP, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as encrypt, type ConnectionOptions } from 'node:tls';
import pg from 'pg';

/** The message with which a client of Postgres asks for TLS. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const settings = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'ssl', 'uselibpqcompat'];

/** Where a program finds a database, until `close`. */
interface Way {
  url: string;
  close(): void;
}

/**
 * Lets a program of Postgres without TLS, such as that of `npm start`, reach a database whose URL asks for TLS. The program speaks to a socket
 * in a folder of this user alone, and this process to the server.
 */
export async function openWay(url: string): Promise<Way> {
  const address = new URL(url);
  const tls = toTls(address);
  if (!tls) return { url, close: () => undefined };
  const server = createServer((local) => carryOver(local, address, tls));
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tls-'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(join(folder, '.s.PGSQL.5432'), resolve);
  });
  const inside = new URL(url);
  for (const name of settings) inside.searchParams.delete(name);
  inside.host = encodeURIComponent(folder);
  inside.port = '5432';
  return {
    url: inside.href,
    close: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The options of TLS that the driver takes from the same URL; null: without TLS. */
function toTls(url: URL): ConnectionOptions | null {
  const strict = new URL(url);
  // Keeps the check of certificates, which this setting would switch off for some modes.
  strict.searchParams.delete('uselibpqcompat');
  const { ssl } = new pg.Client(strict.href) as unknown as { ssl: boolean | ConnectionOptions };
  if (!ssl) return null;
  // Names the members because the driver hides `key` from copies.
  const { ca, cert, key, rejectUnauthorized } = ssl === true ? ({} as ConnectionOptions) : ssl;
  return { ca, cert, key, rejectUnauthorized, servername: isIP(url.hostname) ? undefined : url.hostname };
}

function carryOver(local: Socket, { hostname, port }: URL, tls: ConnectionOptions): void {
  const remote = connect(Number(port || 5432), hostname.replaceAll(/[[\]]/g, ''));
  const end = () => {
    local.destroy();
    remote.destroy();
  };
  for (const socket of [local, remote]) socket.once('error', end).once('close', end);
  remote.write(sslRequest);
  remote.once('data', (answer) => {
    // What came beside the answer would not be from who has the certificate.
    if (answer.toString() !== 'S') return end();
    const encrypted = encrypt({ ...tls, socket: remote, host: hostname }).once('error', end);
    local.pipe(encrypted).pipe(local);
  });
}
