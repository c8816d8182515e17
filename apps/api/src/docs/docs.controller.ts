import { createHash } from 'node:crypto';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '#libs/platform/settings/settings';
import { Public } from '../http/route-decorators.ts';
import { isKnownTag } from '../http/etag.ts';
import { style } from './docs-style.ts';
import { Site } from './site.ts';
import { buildDocsHeaders } from './docs-headers.ts';

const headers = buildDocsHeaders(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);

/** Serves the documentation of `apps/docs` to everyone. The reference of the API is beside it under `/docs/api`. */
@ApiExcludeController()
@Controller('docs')
export class DocsController {
  private readonly site: Site;

  constructor(settings: Settings) {
    this.site = new Site(settings.publicUrl);
  }

  @Get(['', '*'])
  @Public()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const address = new URL(request.url, 'http://localhost').pathname.replace(/\/$/, '');
    const resource = this.site.find(address);
    const { type, body, tag } = resource ?? this.site.absent;
    void reply.status(resource ? 200 : 404).headers({ ...headers, 'Content-Type': type, ETag: tag });
    if (resource && isKnownTag(request.headers['if-none-match'], tag)) void reply.status(304).send();
    else void reply.send(body);
  }
}
