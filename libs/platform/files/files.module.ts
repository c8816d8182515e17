import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { Files } from './files.ts';

@Module({ imports: [DatabaseModule], providers: [Files], exports: [Files] })
export class FilesModule {}
