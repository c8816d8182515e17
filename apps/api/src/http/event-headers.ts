import type { FastifyReply } from 'fastify';

/** Begins an answer that is written over time. Without the last header nginx would keep its parts back. */
export function beginStream(reply: FastifyReply, type = 'text/event-stream'): void {
  reply
    .status(200)
    .header('Content-Type', `${type}; charset=utf-8`)
    .header('Cache-Control', 'no-store')
    .header('X-Accel-Buffering', 'no');
}
