import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../http/route-decorators.ts';
import { isKnownTag } from '../http/etag.ts';
import { Reference } from './reference.ts';
import { buildDocsHeaders } from './docs-headers.ts';

const headers = buildDocsHeaders(`'self' 'unsafe-inline'`);

/** Serves the reference of the API to everyone: a viewer that shows `/openapi.json` and can try calls. */
@ApiExcludeController()
@Controller('docs/api')
export class ReferenceController {
  private readonly reference = new Reference();

  @Get(['', '*'])
  @Public()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [, name = ''] = /\/docs\/api\/?([^?]*)/.exec(request.url) ?? [];
    const file = await this.reference.find(name);
    if (!file) throw new NotFoundException();
    const { type, body, packed, tag } = file;
    void reply.headers({ ...headers, 'Content-Type': type, ETag: tag, Vary: 'Accept-Encoding' });
    if (isKnownTag(request.headers['if-none-match'], tag)) return void reply.status(304).send();
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return void reply.send(body);
    void reply.header('Content-Encoding', 'gzip').send(packed);
  }
}
