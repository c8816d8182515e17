import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The type of a message of the protocol, and its content. The first message of a connection has no type. */
interface ProtocolMessage {
  type: string;
  content: Buffer;
}

/**
 * A proxy to Postgres that loses answers: a statement is carried out and its transaction committed, but its sender only sees that the
 * connection has ended. Or the sender sees nothing, because the connection has gone silent.
 */
export class AnswerCutter {
  private readonly sockets = new Set<Socket>();
  private readonly joined = new Set<{ isSilent: boolean }>();
  private about = '';
  private first = Infinity;
  private last = 0;
  private answers = 0;

  private constructor(
    private readonly server: Server,
    /** The address of the database behind the proxy. */
    readonly url: string,
  ) {}

  /** Opens a proxy to the database with this address. */
  static async to(databaseUrl: string): Promise<AnswerCutter> {
    const target = new URL(databaseUrl);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cutter = new AnswerCutter(server, url.href);
    server.on('connection', (near) => cutter.join(near, connect(Number(target.port), target.hostname)));
    return cutter;
  }

  /**
   * Loses answers to statements whose transaction contains the text: beginning with the one at the place, from 1, so many in a row.
   * An empty text means every statement. Returns a function that says whether one was lost, and lets all pass.
   */
  cut(about: string, place: number, times = 1): () => boolean {
    Object.assign(this, { about, first: place, last: place + times - 1, answers: 0 });
    return () => {
      this.first = Infinity;
      return this.answers >= place;
    };
  }

  /** Passes nothing on any more on all connections that there are, not even their end. New ones work. Returns how many fell silent. */
  silence(): number {
    const audible = [...this.joined].filter(({ isSilent }) => !isSilent);
    for (const pair of audible) pair.isSilent = true;
    return audible.length;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private isLost(place: number): boolean {
    return place >= this.first && place <= this.last;
  }

  private join(near: Socket, far: Socket): void {
    const pair = { isSilent: false };
    this.joined.add(pair);
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.joined.delete(pair);
        if (pair.isSilent) return;
        near.destroy();
        far.destroy();
      });
    }
    const asked = new ProtocolReader(false);
    const answered = new ProtocolReader(true);
    /** For each question that is not answered yet: whether it is about the text. */
    const open: boolean[] = [];
    let isAbout = false;
    let isInTransaction = false;
    near.on('data', (bytes) => {
      if (pair.isSilent) return;
      for (const { type, content } of asked.read(bytes)) {
        isAbout ||= content.includes(this.about);
        if (type !== 'S' && type !== 'Q') continue;
        open.push(isAbout);
        const word = type === 'Q' ? content.toString('latin1', 0, 8).toLowerCase() : '';
        if (/^(begin|start)/.test(word)) isInTransaction = true;
        if (/^(commit|rollback)/.test(word)) isInTransaction = false;
        // A commit does not contain the text, but belongs to the statements before it.
        if (!isInTransaction) isAbout = false;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (pair.isSilent) return;
      for (const { type } of answered.read(bytes))
        if (type === 'Z' && open.shift() === true && this.isLost(++this.answers)) return near.destroy();
      near.write(bytes);
    });
  }
}

/** Divides a stream into messages, which may begin and end anywhere in its pieces. */
class ProtocolReader {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private isTyped: boolean) {}

  read(bytes: Buffer): ProtocolMessage[] {
    this.rest = Buffer.concat([this.rest, bytes]);
    const messages: ProtocolMessage[] = [];
    for (;;) {
      const head = this.isTyped ? 1 : 0;
      if (this.rest.length < head + 4) return messages;
      const end = head + this.rest.readInt32BE(head);
      if (this.rest.length < end) return messages;
      const type = this.rest.toString('latin1', 0, head);
      messages.push({ type, content: this.rest.subarray(head + 4, end) });
      this.rest = this.rest.subarray(end);
      this.isTyped = true;
    }
  }
}
