import { Global, Module } from '@nestjs/common';
import { Cursors } from './cursor.ts';

@Global()
@Module({ providers: [Cursors], exports: [Cursors] })
export class PagesModule {}
