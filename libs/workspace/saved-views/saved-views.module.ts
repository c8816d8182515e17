import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { SavedViews } from './saved-views.ts';

@Module({ imports: [DatabaseModule], providers: [SavedViews], exports: [SavedViews] })
export class SavedViewsModule {}
