/** The types of events that an endpoint can choose. The triggers of the database write them. */
export const eventTypes = [
  'execution.completed',
  'execution.failed',
  'execution.cancelled',
  'execution.paused',
  'execution.resumed',
  'pause.answered',
  'pause.expired',
  'pause.reminded',
  'document.processed',
  'document.failed',
  'workflow.deployed',
  'workflow.rolled_back',
  'workflow.undeployed',
  'table.import.completed',
  'table.import.failed',
  'trigger.missed',
  'trigger.disabled',
  'limit.reached',
  'alert.raised',
  'alert.resolved',
] as const;

/** The types of events of rows. Only triggers hear of them, because a table may change thousands of times a second. */
export const rowEventTypes = ['table.row.inserted', 'table.row.updated', 'table.row.deleted'] as const;

/** The type of the event that a test sends, whatever an endpoint has chosen. */
export const testType = 'endpoint.tested';

/** The secret of a workspace that signs the callbacks of single executions. */
export const callbackSecret = 'CALLBACK_SECRET';
