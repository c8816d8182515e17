import { InitialSchema1700000000001 } from './0001-initial-schema.ts';
import { Installation1700000000002 } from './0002-installation.ts';
import { ReadsOfFiles1700000000003 } from './0003-reads-of-files.ts';
import { LostRuns1700000000004 } from './0004-lost-runs.ts';
import { DirectRuns1700000000005 } from './0005-direct-runs.ts';
import { RunSnapshots1700000000006 } from './0006-run-snapshots.ts';
import { Triggers1700000000007 } from './0007-triggers.ts';
import { EventsOut1700000000008 } from './0008-events-out.ts';
import { RunControl1700000000009 } from './0009-run-control.ts';
import { Holds1700000000011 } from './0011-holds.ts';
import { FlowControl1700000000012 } from './0012-flow-control.ts';
import { ValuesAndTitles1700000000014 } from './0014-values-and-titles.ts';
import { BulkJobs1700000000015 } from './0015-bulk-jobs.ts';
import { EventTriggers1700000000016 } from './0016-event-triggers.ts';
import { Alerts1700000000017 } from './0017-alerts.ts';
import { Tests1700000000018 } from './0018-tests.ts';
import { FormTriggers1700000000020 } from './0020-form-triggers.ts';
import { OldDeliveries1700000000021 } from './0021-old-deliveries.ts';
import { DefinedTriggers1700000000022 } from './0022-defined-triggers.ts';
import { Backfills1700000000023 } from './0023-backfills.ts';
import { BulkAnswers1700000000024 } from './0024-bulk-answers.ts';
import { HoldsOfTriggers1700000000025 } from './0025-holds-of-triggers.ts';
import { HoldsOfEffects1700000000026 } from './0026-holds-of-effects.ts';
import { HostLimits1700000000027 } from './0027-host-limits.ts';
import { BulkUndo1700000000028 } from './0028-bulk-undo.ts';
import { LeftOutTriggers1700000000029 } from './0029-left-out-triggers.ts';
import { HoldsOfTheInstallation1700000000030 } from './0030-holds-of-the-installation.ts';
import { Batches1700000000031 } from './0031-batches.ts';
import { LimitsOfRedirects1700000000032 } from './0032-limits-of-redirects.ts';
import { Calendars1700000000033 } from './0033-calendars.ts';
import { RatesOfBackfills1700000000034 } from './0034-rates-of-backfills.ts';
import { MomentsThatDoNotFit1700000000035 } from './0035-moments-that-do-not-fit.ts';
import { PayloadKeys1700000000036 } from './0036-payload-keys.ts';
import { Engine1700000000037 } from './0037-engine.ts';
import { UnreadAnswers1700000000038 } from './0038-unread-answers.ts';
import { NoticesOfTriggers1700000000039 } from './0039-notices-of-triggers.ts';
import { IndexOfNotices1700000000040 } from './0040-index-of-notices.ts';

/** Every migration, oldest first. New ones are only added at the end. */
export const migrations = [
  InitialSchema1700000000001,
  Installation1700000000002,
  ReadsOfFiles1700000000003,
  LostRuns1700000000004,
  DirectRuns1700000000005,
  RunSnapshots1700000000006,
  Triggers1700000000007,
  EventsOut1700000000008,
  RunControl1700000000009,
  Holds1700000000011,
  FlowControl1700000000012,
  ValuesAndTitles1700000000014,
  BulkJobs1700000000015,
  EventTriggers1700000000016,
  Alerts1700000000017,
  Tests1700000000018,
  FormTriggers1700000000020,
  OldDeliveries1700000000021,
  DefinedTriggers1700000000022,
  Backfills1700000000023,
  BulkAnswers1700000000024,
  HoldsOfTriggers1700000000025,
  HoldsOfEffects1700000000026,
  HostLimits1700000000027,
  BulkUndo1700000000028,
  LeftOutTriggers1700000000029,
  HoldsOfTheInstallation1700000000030,
  Batches1700000000031,
  LimitsOfRedirects1700000000032,
  Calendars1700000000033,
  RatesOfBackfills1700000000034,
  MomentsThatDoNotFit1700000000035,
  PayloadKeys1700000000036,
  Engine1700000000037,
  UnreadAnswers1700000000038,
  NoticesOfTriggers1700000000039,
  IndexOfNotices1700000000040,
];
