import type { Readable } from 'node:stream';
import { HttpAnswer } from './answer.ts';

/** Returns an answer that is written over time. Without the last header nginx would keep its parts back. */
export function streamed(parts: Readable, type = 'text/event-stream'): HttpAnswer<Readable> {
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  };
  return new HttpAnswer(parts, { status: 200, headers });
}
