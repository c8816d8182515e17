import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Unauthenticated } from '#libs/platform/errors/errors';
import { RequestCallers } from './request-callers.ts';

/** An answer that is written over time asks this often whether its caller may still read. */
const checkEveryMs = 5000;

/** Writes answers over time. Each ends with the key, the session or the membership of its caller. */
@Injectable()
export class LastingAnswers {
  constructor(private readonly callers: RequestCallers) {}

  /** Events for a caller. They end quietly when the caller may no longer read. */
  events<Part>(request: FastifyRequest, parts: AsyncIterable<Part>): Readable {
    return Readable.from(this.whileAdmitted(request, parts, () => undefined));
  }

  /** A file for a caller. The connection breaks when the caller may no longer read, because half a file must not look whole. */
  file(request: FastifyRequest, parts: AsyncIterable<Uint8Array | string>): Readable {
    const refuse = () => {
      throw new Unauthenticated();
    };
    return Readable.from(this.whileAdmitted(request, parts, refuse));
  }

  /** Asks for the caller before each part, and while there is none. */
  private async *whileAdmitted<Part>(
    request: FastifyRequest,
    parts: AsyncIterable<Part>,
    onEnd: () => void,
  ): AsyncGenerator<Part> {
    const source = parts[Symbol.asyncIterator]();
    let end = (): void => undefined;
    const timer = setInterval(() => void this.admitAgain(request).then((may) => may || end()), checkEveryMs);
    try {
      for (;;) {
        const part = await new Promise<IteratorResult<Part> | null>((resolve, reject) => {
          end = () => resolve(null);
          source.next().then(resolve, reject);
        });
        if (part?.done) return;
        if (!part || !(await this.admitAgain(request))) return onEnd();
        yield part.value;
      }
    } finally {
      clearInterval(timer);
      // A generator that waits ends after its wait, so nobody waits for it here.
      if (parts instanceof Readable) parts.destroy();
      else source.return?.().catch(() => undefined);
    }
  }

  /** Keeps the admission of the request current, so that links are made for the caller as of now. */
  private async admitAgain(request: FastifyRequest): Promise<boolean> {
    const { admission } = request;
    if (!admission) return false;
    try {
      const caller = await this.callers.findCaller(request);
      for (const id of admission.readable) caller.require(id, 'read');
      admission.caller = caller;
      return true;
    } catch {
      return false;
    }
  }
}
