import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy to a server that a test can cut or hold. While it is cut, the server is away for its users; while it is held, they wait. */
export class Line {
  private readonly sockets = new Set<Socket>();
  private readonly answers = new Set<{ near: Socket; far: Socket }>();
  private cut = false;
  private isHeld = false;

  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async to(target: string): Promise<Line> {
    const [host = '127.0.0.1', port = '0'] = target.split(':');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const line = new Line(server, `127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('connection', (near) => line.join(near, connect(Number(port), host)));
    return line;
  }

  /** Drops every connection and refuses new ones. */
  break(): void {
    this.cut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.cut = false;
  }

  /** Keeps what the server answers until `release`. */
  hold(): void {
    this.isHeld = true;
    for (const { near, far } of this.answers) far.unpipe(near);
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    for (const { near, far } of this.answers) far.pipe(near);
  }

  stop(): void {
    this.break();
    this.server.close();
  }

  private join(near: Socket, far: Socket): void {
    const pair = { near, far };
    this.answers.add(pair);
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.answers.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
    if (this.cut) near.destroy();
    else near.pipe(far);
    if (!this.isHeld) far.pipe(near);
  }
}
