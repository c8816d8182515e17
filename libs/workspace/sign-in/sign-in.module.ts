import { Module } from '@nestjs/common';
import { AuthModule } from '#libs/workspace/auth/auth.module';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { OAuthModule } from '#libs/workspace/oauth/oauth.module';
import { Accounts } from './accounts.ts';
import { IdentityProviders } from './identity-providers.ts';
import { SignInLinks } from './links.ts';
import { Passkeys } from './passkeys.ts';
import { SignInWays } from './ways-in.ts';

@Module({
  imports: [AuthModule, DatabaseModule, OAuthModule],
  providers: [Accounts, IdentityProviders, Passkeys, SignInLinks, SignInWays],
  exports: [Accounts, IdentityProviders, Passkeys, SignInLinks, SignInWays],
})
export class SignInModule {}
