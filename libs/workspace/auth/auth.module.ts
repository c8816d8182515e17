import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PagesModule } from '#libs/platform/cursors/pages.module';
import { CompletionNotifierModule } from '#libs/platform/database/completion-notifier.module';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { Callers } from './callers.ts';
import { Invitations } from './invitations.ts';
import { Keys } from './keys.ts';
import { Sessions } from './sessions.ts';
import { Users } from './users.ts';
import { ApiKey, Membership, User, Workspace } from './people.entity.ts';
import { Workspaces } from './workspaces.ts';

@Module({
  imports: [
    DatabaseModule,
    CompletionNotifierModule,
    PagesModule,
    TypeOrmModule.forFeature([Workspace, User, Membership, ApiKey]),
  ],
  providers: [Workspaces, Invitations, Keys, Callers, Sessions, Users],
  exports: [Workspaces, Invitations, Keys, Callers, Sessions, Users],
})
export class AuthModule {}
