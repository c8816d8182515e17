import type { ShownEntry } from '#libs/workspace/audit/audit';
import type { JsonObject } from '#libs/platform/json/json';
import { Int, Obj, Text, Time } from '../http/fields.ts';
import { WorkspaceCursorQuery } from '../http/cursor-query.ts';

const day = 'ISO 8601, inclusive. A date without a time is the whole day in UTC.';

export class AuditLogsQuery extends WorkspaceCursorQuery {
  @Text({ optional: true, max: 100, description: 'As `workflow.deployed`.' }) action?: string;
  @Text({ optional: true, max: 100, description: 'As `workflow`.' }) resourceType?: string;
  @Text({ optional: true, max: 200, description: 'The id of what was changed; of a secret, its name.' })
  resourceId?: string;
  @Text({ optional: true, max: 100, description: 'The id of the user or of the key.' }) actorId?: string;
  @Time({ optional: true, description: `At this moment or later. ${day}` }) startDate?: string;
  @Time({ optional: true, description: `At this moment or before. ${day}` }) endDate?: string;
}

export class AuditLogView {
  @Text({ description: 'The id of the entry, which begins with `aud_`.' }) id!: string;
  @Text({ description: 'The id of the workspace that it belongs to.' }) workspaceId!: string;
  @Text({ description: '`user`, `key`, `link`, `anyone` without a key, `operator`, or `system`.' })
  actorKind!: string;
  @Text({
    nullable: true,
    description: 'The id of the user or of the key that acted; null when nobody is known.',
  })
  actorId!: string | null;
  @Text({ nullable: true, description: 'The name of the user or of the key, as it is now.' }) actorName!:
    | string
    | null;
  @Text({
    nullable: true,
    description: 'The mail address of the user that acted; null for a key and when nobody is known.',
  })
  actorEmail!: string | null;
  @Text({ nullable: true, description: 'The key of the request.' }) keyId!: string | null;
  @Text({
    nullable: true,
    description: 'The id of the request, as in the header X-Request-Id; null when no request caused it.',
  })
  requestId!: string | null;
  @Text({ nullable: true, description: 'Where the request came from.' }) ipAddress!: string | null;
  @Text({ description: 'What was done, as `workflow.deployed`.' }) action!: string;
  @Text({ description: 'The kind of thing that it was done to, as `workflow` or `api_key`.' })
  resourceType!: string;
  @Text({ description: 'The id of what was changed; of a secret, its name.' }) resourceId!: string;
  @Text({
    nullable: true,
    description: 'The name of what was changed, as it was then; null when it has none.',
  })
  resourceName!: string | null;
  @Text({ description: 'The action and what it was done to, in words.' }) description!: string;
  @Obj({
    description:
      'What changed: of an update `from` and `to` of each member. Values of secrets are never here.',
  })
  metadata!: JsonObject;
  @Int({ description: 'The place in the chain of the workspace.' }) seq!: number;
  @Text({ description: 'SHA-256 of the hash before and of this entry.' }) hash!: string;
  @Time({ description: 'When it happened, in ISO 8601 and UTC.' }) createdAt!: string;

  static of({ entry, hash, actorName, actorEmail }: ShownEntry): AuditLogView {
    const { actor, address, changes, ...rest } = entry;
    const [, verb = ''] = entry.action.split('.');
    const name = entry.resourceName ?? entry.resourceId;
    return {
      ...rest,
      actorKind: actor.kind,
      actorId: actor.id ?? null,
      actorName,
      actorEmail,
      ipAddress: address,
      description: `${entry.resourceType.replaceAll('_', ' ')} ${name}: ${verb.replaceAll('_', ' ')}`,
      metadata: changes,
      hash,
    };
  }
}
