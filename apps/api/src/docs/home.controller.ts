import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Settings } from '#libs/platform/settings/settings';
import { Public } from '../http/route-decorators.ts';

const cached = { 'Cache-Control': 'public, max-age=60', Vary: 'Accept' };

/** Serves the URL that `npm start` prints, to everyone: a browser goes to the console, and a program gets links as JSON. */
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(private readonly settings: Settings) {}

  @Get()
  @Public()
  show(@Headers('accept') accept: string | undefined, @Res() reply: FastifyReply): void {
    if (accept?.includes('text/html')) return void reply.headers(cached).redirect('/console/', 302);
    const { publicUrl, temporal } = this.settings;
    void reply.headers(cached).send({
      name: 'Holdfast',
      console: `${publicUrl}/console`,
      docs: `${publicUrl}/docs`,
      reference: `${publicUrl}/docs/api`,
      openapi: `${publicUrl}/openapi.json`,
      definitionSchema: `${publicUrl}/api/v1/definition-schema`,
      health: `${publicUrl}/health/ready`,
      temporalUi: temporal.uiUrl || null,
    });
  }
}
