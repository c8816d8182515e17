import type { ShownEntry } from '#libs/workspace/audit/audit';
import type { JsonObject } from '#libs/platform/json/json';
import { Int, NameOf, Obj, Text, Time } from '../http/fields.ts';
import { WorkspaceCursorQuery } from '../http/cursor-query.ts';

const day = 'ISO 8601, inclusive. A date without a time is the whole day in UTC.';

export class AuditLogsQuery extends WorkspaceCursorQuery {
  @Text({ optional: true, max: 100, description: 'An action, for example `workflow.deployed`.' })
  action?: string;
  @Text({ optional: true, max: 100, description: 'A type of resource, for example `workflow`.' })
  resourceType?: string;
  @Text({
    optional: true,
    max: 200,
    description: 'The id of the changed resource. A secret has its name here.',
  })
  resourceId?: string;
  @Text({ optional: true, max: 100, description: 'The id of the user or the key that acted.' })
  actorId?: string;
  @Time({ optional: true, description: `Only entries of this time or later. ${day}` }) startDate?: string;
  @Time({ optional: true, description: `Only entries of this time or before. ${day}` }) endDate?: string;
}

export class AuditLogView {
  @Text({ description: 'The id of the entry, which begins with `aud_`.' }) id!: string;
  @Text({ description: 'The id of its workspace.' }) workspaceId!: string;
  @Text({ description: '`user`, `key`, `link`, `anyone` without a key, `operator`, or `system`.' })
  actorKind!: string;
  @Text({
    nullable: true,
    description: 'The id of the user or of the key that acted; null when the actor is unknown.',
  })
  actorId!: string | null;
  @Text({ nullable: true, description: 'The current name of the user or of the key.' }) actorName!:
    | string
    | null;
  @Text({
    nullable: true,
    description: 'The mail address of the user that acted; null for a key and when the actor is unknown.',
  })
  actorEmail!: string | null;
  @Text({ nullable: true, description: 'The id of the key that sent the request.' }) keyId!: string | null;
  @NameOf('keyId') keyName?: string | null;
  @Text({
    nullable: true,
    description: 'The id of the request, as in the header X-Request-Id; null when no request caused it.',
  })
  requestId!: string | null;
  @Text({ nullable: true, description: 'The IP address that sent the request.' }) ipAddress!: string | null;
  @Text({ description: 'The action, for example `workflow.deployed`.' }) action!: string;
  @Text({ description: 'The type of the changed resource, for example `workflow` or `api_key`.' })
  resourceType!: string;
  @Text({ description: 'The id of the changed resource. A secret has its name here.' }) resourceId!: string;
  @Text({
    nullable: true,
    description: 'The name of the resource at that time; null when it has no name.',
  })
  resourceName!: string | null;
  @Text({ description: 'The action and its resource, in words.' }) description!: string;
  @Obj({
    description:
      'The change. An update has `from` and `to` for each changed member. Values of secrets are never here.',
  })
  metadata!: JsonObject;
  @Int({ description: 'The position in the hash chain of the workspace.' }) seq!: number;
  @Text({ description: 'The SHA-256 of this entry and of the hash of the entry before it.' }) hash!: string;
  @Time({ description: 'The time of the event, in ISO 8601 and UTC.' }) createdAt!: string;

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
