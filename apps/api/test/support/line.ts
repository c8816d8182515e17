import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy to a server that a test can cut and restore. While it is cut, the server is away for its users. */
export class Line {
  private readonly sockets = new Set<Socket>();
  private cut = false;

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

  stop(): void {
    this.break();
    this.server.close();
  }

  private join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    if (this.cut) near.destroy();
    else near.pipe(far).pipe(near);
  }
}
