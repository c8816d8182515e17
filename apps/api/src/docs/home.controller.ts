import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Settings } from '#libs/settings/settings';
import { Public } from '../http/caller.guard.ts';
import { markup, page, pageHeaders } from '../http/html.ts';

const cached = { 'Cache-Control': 'public, max-age=60', Vary: 'Accept' };

/** Answers the address that `npm start` prints: a browser gets a page, a program the same links as JSON. It serves everyone. */
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(private readonly settings: Settings) {}

  @Get()
  @Public()
  show(@Headers('accept') accept: string | undefined, @Res() reply: FastifyReply): void {
    if (accept?.includes('text/html'))
      return void reply.headers({ ...pageHeaders, ...cached }).send(this.page());
    const { publicUrl, temporal } = this.settings;
    void reply.headers(cached).send({
      name: 'Holdfast',
      docs: `${publicUrl}/docs`,
      reference: `${publicUrl}/docs/api`,
      openapi: `${publicUrl}/openapi.json`,
      definitionSchema: `${publicUrl}/api/v1/definition-schema`,
      health: `${publicUrl}/health/ready`,
      temporalUi: temporal.uiUrl || null,
    });
  }

  private page(): string {
    const { uiUrl } = this.settings.temporal;
    const row = (href: string, name: string, about: string) =>
      markup`<li><a href="${href}">${name}</a>: ${about}</li>`;
    const body = markup`<p>A durable-workflow engine as a backend. Workflows are JSON documents; a call executes them, they stop for people, and they survive any crash.</p>
<ul>${row('/docs/tour', 'Tour', 'from here to a run that waits for a person, in five minutes')}
${row('/docs', 'Documentation', 'blocks, expressions, approvals, tables, knowledge bases, operations')}
${row('/docs/api', 'API reference', 'every operation, with examples, and calls to try out')}
${row('/openapi.json', 'OpenAPI', 'the same for programs and generators of clients')}
${uiUrl !== '' && row(uiUrl, 'Temporal UI', 'what each run does, for operators')}</ul>
<p>Programs call <code>/api</code> with a key in the header <code>X-API-Key</code>. The first start has printed one.</p>`;
    return page('Holdfast', body, { foot: markup`${this.settings.publicUrl}` });
  }
}
