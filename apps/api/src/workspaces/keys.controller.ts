import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Keys, requireUser } from '#libs/workspace/auth/keys';
import { Invalid } from '#libs/platform/errors/errors';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RecentSignIn, RequirePermission } from '../http/route-decorators.ts';
import { CursorQuery } from '../http/cursor-query.ts';
import { ApiResult } from '../http/api-result.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import { CreateKeyBody, CreatePersonalKeyBody, KeyView, MintedKeyView } from './workspaces.dto.ts';

@ApiTags('API keys')
@Controller('api/v1')
export class KeysController {
  constructor(private readonly keys: Keys) {}

  @Get('workspaces/:workspaceId/keys')
  @ApiOperation({
    summary: 'List the keys of a workspace',
    description:
      'Lists the keys of a workspace without their values, with their creator, their role and their last use.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: [KeyView] }, 'One page of keys, the newest first, without their values.', {
    paged: true,
  })
  async listWorkspaceKeys(@CurrentCaller() { workspaceId }: Admission, @Query() query: CursorQuery) {
    const { items, nextCursor } = await this.keys.listOfWorkspace(workspaceId, query);
    return { data: items.map((key) => KeyView.of(key)), nextCursor };
  }

  @Post('workspaces/:workspaceId/keys')
  @ApiOperation({
    summary: 'Create a key of a workspace',
    description:
      'Makes a key that reaches this workspace alone, with a role of its own. Its value is shown only in this answer.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(
    201,
    { data: MintedKeyView },
    'The key was created; `key` holds its value, which is shown only here.',
    {
      also: [409],
    },
  )
  async createWorkspaceKey(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Body() { name, role, expiresAt }: CreateKeyBody,
  ) {
    const options = { name, role, expiresAt: future(expiresAt), within: caller.endsAt };
    return {
      data: MintedKeyView.ofMinted(await this.keys.createForWorkspace(workspaceId, options, caller.actor.id)),
    };
  }

  @Delete('workspaces/:workspaceId/keys/:keyId')
  @ApiOperation({
    summary: 'Revoke a key of a workspace',
    description: 'Revokes a key at once. Executions that it started go on.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: DeletedView }, 'The key is revoked and no longer valid.', { also: [409] })
  async revokeWorkspaceKey(@CurrentCaller() { workspaceId }: Admission, @Param('keyId') keyId: string) {
    await this.keys.revokeOfWorkspace(workspaceId, keyId);
    return { data: { id: keyId, deleted: true } };
  }

  @Get('users/me/keys')
  @ApiOperation({
    summary: 'List your personal keys',
    description: 'Lists the keys of the user whose personal key is sent, without their values.',
  })
  @RequirePermission('read', 'caller')
  @ApiResult(
    200,
    { data: [KeyView] },
    'One page of your personal keys, the newest first, without their values.',
    {
      paged: true,
    },
  )
  async listPersonalKeys(@CurrentCaller() { caller }: Admission, @Query() query: CursorQuery) {
    const { items, nextCursor } = await this.keys.listPersonal(requireUser(caller), query);
    return { data: items.map((key) => KeyView.of(key)), nextCursor };
  }

  @Post('users/me/keys')
  @ApiOperation({
    summary: 'Create a personal key',
    description:
      'Makes another key of the calling user, for example for another machine. Its value is shown only in this answer.',
  })
  @RequirePermission('read', 'caller')
  @RecentSignIn()
  @ApiResult(
    201,
    { data: MintedKeyView },
    'The key was created; `key` holds its value, which is shown only here.',
    { also: [409] },
  )
  async createPersonalKey(
    @CurrentCaller() { caller }: Admission,
    @Body() { name, expiresAt }: CreatePersonalKeyBody,
  ) {
    const minted = await this.keys.createPersonal(requireUser(caller), {
      name,
      expiresAt: future(expiresAt),
      within: caller.endsAt,
    });
    return { data: MintedKeyView.ofMinted(minted) };
  }

  @Delete('users/me/keys/:keyId')
  @ApiOperation({
    summary: 'Revoke a personal key',
    description: 'Revokes one of your personal keys at once. Executions that it started go on.',
  })
  @RequirePermission('read', 'caller')
  @RecentSignIn()
  @ApiResult(200, { data: DeletedView }, 'The key is revoked and no longer valid.')
  async revokePersonalKey(@CurrentCaller() { caller }: Admission, @Param('keyId') keyId: string) {
    await this.keys.revokePersonal(requireUser(caller), keyId);
    return { data: { id: keyId, deleted: true } };
  }
}

function future(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = new Date(text);
  if (moment.getTime() <= readClockMs()) throw Invalid.field('expiresAt', 'must be in the future', 'range');
  return moment;
}
