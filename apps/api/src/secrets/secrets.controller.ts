import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Invalid } from '#libs/platform/errors/errors';
import { Secrets, type SecretName } from '#libs/workspace/secrets/secrets';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RecentSignIn, RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { Text, Time } from '../http/fields.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';

const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

export class PutSecretBody {
  @Text({
    min: 1,
    max: 10_000,
    mayBeBlank: true,
    description: 'The value, which is stored sealed and never shown again.',
  })
  value!: string;
}

export class SecretView {
  @Text({ description: 'The name by which blocks read it, for example `secrets.NAME`.' }) name!: string;
  @Time({ description: 'The time at which the secret got its first value, in ISO 8601 and UTC.' })
  createdAt!: string;
  @Time({ description: 'The time at which it got its present value, in ISO 8601 and UTC.' })
  updatedAt!: string;

  static of({ name, createdAt, updatedAt }: SecretName): SecretView {
    return { name, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  }
}

/** The credentials that blocks read as `secrets.NAME`. A value is never shown again. */
@ApiTags('Secrets')
@Controller('api/v1/workspaces/:workspaceId/secrets')
export class SecretsController {
  constructor(private readonly secrets: Secrets) {}

  @Get()
  @ApiOperation({
    summary: 'List the names of the secrets',
    description: 'Lists the names of the secrets. No call shows a value.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(200, { data: [SecretView] }, 'The names of the secrets; a value is never shown.')
  async listSecrets(@CurrentCaller() { workspaceId }: Admission) {
    return { data: (await this.secrets.list(workspaceId)).map((secret) => SecretView.of(secret)) };
  }

  @Put(':name')
  @ApiOperation({
    summary: 'Create a secret or give it a new value',
    description:
      'Stores a value that blocks read as `{{ secrets.NAME }}`. The value is sealed at rest, is in no log and is never shown again. A second call replaces it.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: SecretView }, 'The secret has the new value.', { also: [409] })
  async putSecret(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('name') name: string,
    @Body() { value }: PutSecretBody,
  ) {
    if (!namePattern.test(name))
      throw Invalid.field(
        'name',
        'must be letters, digits and underscores, no digit first, 64 at most',
        'pattern',
      );
    return { data: SecretView.of(await this.secrets.put(workspaceId, name, value)) };
  }

  @Delete(':name')
  @ApiOperation({
    summary: 'Delete a secret',
    description: 'Deletes a secret. Blocks that read it then fail with SECRET_NOT_FOUND and send nothing.',
  })
  @RequirePermission('admin', 'workspace')
  @RecentSignIn()
  @ApiResult(200, { data: DeletedView }, 'The secret was deleted; blocks that name it fail from now on.')
  async deleteSecret(@CurrentCaller() { workspaceId }: Admission, @Param('name') name: string) {
    await this.secrets.delete(workspaceId, name);
    return { data: { id: name, deleted: true } };
  }
}
