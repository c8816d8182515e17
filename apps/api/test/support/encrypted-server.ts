import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket, createSecureContext } from 'node:tls';
import selfsigned from 'selfsigned';

/** The files of an authority: its certificate, one for servers of the name `localhost`, and one for clients. */
export class Authority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'holdfast-authority-'));

  private constructor(readonly pems: Record<'ca' | 'cert' | 'key' | 'clientCert' | 'clientKey', string>) {
    for (const name of Object.keys(pems)) writeFileSync(this.file(name as keyof typeof pems), this.pem(name));
  }

  static async make(): Promise<Authority> {
    const ec = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
    const root = await selfsigned.generate([{ name: 'commonName', value: 'Authority' }], {
      ...ec,
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, critical: true },
      ],
    });
    const signed = async (name: string) =>
      selfsigned.generate([{ name: 'commonName', value: name }], {
        ...ec,
        ca: { key: root.private, cert: root.cert },
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
      });
    const [server, client] = [await signed('localhost'), await signed('holdfast')];
    return new Authority({
      ca: root.cert,
      cert: server.cert,
      key: server.private,
      clientCert: client.cert,
      clientKey: client.private,
    });
  }

  file(name: keyof Authority['pems']): string {
    return join(this.folder, `${name}.pem`);
  }

  delete(): void {
    rmSync(this.folder, { recursive: true });
  }

  private pem(name: string): string {
    return this.pems[name as keyof Authority['pems']];
  }
}

/** The message with which a client of Postgres asks for TLS. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Stands before a server of this machine and speaks TLS to its clients alone. */
export class EncryptedServer {
  readonly server: Server;
  /** The number of connections that came through with TLS, and of those that had a certificate of the authority. */
  readonly accepted = { all: 0, withCertificate: 0 };
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly behind: { host: string; port: number },
    private readonly authority: Authority,
    private readonly kind: 'postgres' | 'temporal',
  ) {
    this.server = createServer((socket) => {
      this.keep(socket);
      if (kind === 'temporal') return this.encrypt(socket);
      socket.once('data', (bytes: Buffer) => {
        if (!bytes.equals(sslRequest)) return socket.destroy();
        socket.write('S');
        this.encrypt(socket);
        return undefined;
      });
    });
  }

  /** `address` is HOST:PORT. A `temporal` asks its clients for certificates. */
  static async start(
    address: string,
    authority: Authority,
    kind: 'postgres' | 'temporal',
  ): Promise<EncryptedServer> {
    const { hostname, port } = new URL(`tcp://${address}`);
    const encrypted = new EncryptedServer({ host: hostname, port: Number(port) }, authority, kind);
    await new Promise<void>((resolve) => encrypted.server.listen(0, '127.0.0.1', resolve));
    return encrypted;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private encrypt(socket: Socket): void {
    const { ca, cert, key } = this.authority.pems;
    const asks = this.kind === 'temporal';
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext({ ca, cert, key }),
      requestCert: asks,
      rejectUnauthorized: asks,
      ...(asks && { ALPNProtocols: ['h2'] }),
    });
    this.keep(secure);
    secure.once('secure', () => {
      if (asks && !secure.authorized && secure.getPeerCertificate().raw === undefined)
        return secure.destroy();
      this.accepted.all += 1;
      if (secure.getPeerCertificate().subject?.CN === 'holdfast') this.accepted.withCertificate += 1;
      const plain = connect(this.behind);
      this.keep(plain);
      secure.pipe(plain).pipe(secure);
      return undefined;
    });
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.sockets.delete(socket));
  }
}
