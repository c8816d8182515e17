import { Foundation1700000000001 } from './0001-foundation.ts';
import { AcknowledgedAnswers1700000000002 } from './0002-acknowledged-answers.ts';
import { SentCalls1700000000003 } from './0003-sent-calls.ts';
import { Invitations1700000000004 } from './0004-invitations.ts';
import { BoundedReads1700000000005 } from './0005-bounded-reads.ts';
import { Tables1700000000007 } from './0007-tables.ts';
import { CommittedEffects1700000000008 } from './0008-committed-effects.ts';
import { TableIndexes1700000000009 } from './0009-table-indexes.ts';
import { Logs1700000000010 } from './0010-logs.ts';
import { Knowledge1700000000011 } from './0011-knowledge.ts';
import { TableImports1700000000013 } from './0013-table-imports.ts';
import { LoggedModels1700000000014 } from './0014-logged-models.ts';
import { Folders1700000000015 } from './0015-folders.ts';
import { Storage1700000000016 } from './0016-storage.ts';
import { UsageByDay1700000000017 } from './0017-usage-by-day.ts';
import { Audit1700000000018 } from './0018-audit.ts';
import { FailedLogs1700000000019 } from './0019-failed-logs.ts';
import { EmbeddingUsage1700000000020 } from './0020-embedding-usage.ts';
import { Costs1700000000022 } from './0022-costs.ts';
import { HotPaths1700000000023 } from './0023-hot-paths.ts';
import { DeletedColumns1700000000024 } from './0024-deleted-columns.ts';
import { AuditedMore1700000000025 } from './0025-audited-more.ts';
import { CoveredLogs1700000000026 } from './0026-covered-logs.ts';
import { Handovers1700000000027 } from './0027-handovers.ts';
import { Checkpoints1700000000028 } from './0028-checkpoints.ts';
import { FoundDurations1700000000029 } from './0029-found-durations.ts';
import { TableSlots1700000000030 } from './0030-table-slots.ts';
import { IndexRows1700000000031 } from './0031-index-rows.ts';
import { ContinuedAnswers1700000000033 } from './0033-continued-answers.ts';
import { AuditProofs1700000000034 } from './0034-audit-proofs.ts';
import { Origins1700000000035 } from './0035-origins.ts';
import { OpenExecutions1700000000036 } from './0036-open-executions.ts';
import { ClaimedKeys1700000000040 } from './0040-claimed-keys.ts';
import { FormerMembers1700000000041 } from './0041-former-members.ts';
import { Deferrals1700000000045 } from './0045-deferrals.ts';
import { ImportReports1700000000046 } from './0046-import-reports.ts';
import { VisitLogs1700000000050 } from './0050-visit-logs.ts';
import { DraftRevisions1700000000055 } from './0055-draft-revisions.ts';
import { ActiveTime1700000000056 } from './0056-active-time.ts';
import { McpServers1700000000060 } from './0060-mcp-servers.ts';
import { ToolNotices1700000000061 } from './0061-tool-notices.ts';
import { OAuthRecords1700000000065 } from './0065-oauth-records.ts';
import { SignIn1700000000070 } from './0070-sign-in.ts';
import { SavedViews1700000000071 } from './0071-saved-views.ts';

/** Every migration, oldest first. New ones are only added at the end. */
export const migrations = [
  Foundation1700000000001,
  AcknowledgedAnswers1700000000002,
  SentCalls1700000000003,
  Invitations1700000000004,
  BoundedReads1700000000005,
  Tables1700000000007,
  CommittedEffects1700000000008,
  TableIndexes1700000000009,
  Logs1700000000010,
  Knowledge1700000000011,
  TableImports1700000000013,
  LoggedModels1700000000014,
  Folders1700000000015,
  Storage1700000000016,
  UsageByDay1700000000017,
  Audit1700000000018,
  FailedLogs1700000000019,
  EmbeddingUsage1700000000020,
  Costs1700000000022,
  HotPaths1700000000023,
  DeletedColumns1700000000024,
  AuditedMore1700000000025,
  CoveredLogs1700000000026,
  Handovers1700000000027,
  Checkpoints1700000000028,
  FoundDurations1700000000029,
  TableSlots1700000000030,
  IndexRows1700000000031,
  ContinuedAnswers1700000000033,
  AuditProofs1700000000034,
  Origins1700000000035,
  OpenExecutions1700000000036,
  ClaimedKeys1700000000040,
  FormerMembers1700000000041,
  Deferrals1700000000045,
  ImportReports1700000000046,
  VisitLogs1700000000050,
  DraftRevisions1700000000055,
  ActiveTime1700000000056,
  McpServers1700000000060,
  ToolNotices1700000000061,
  OAuthRecords1700000000065,
  SignIn1700000000070,
  SavedViews1700000000071,
];
