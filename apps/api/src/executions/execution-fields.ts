import { Int, Time } from '../http/fields.ts';

/** The fields that the views of an execution share, under the names that the interface gives them. */
export const StartedAt = () =>
  Time({
    nullable: true,
    description: 'The start time, in ISO 8601 and UTC; null while the execution is queued.',
  });

export const EndedAt = () =>
  Time({
    nullable: true,
    description: 'The end time, in ISO 8601 and UTC; null until the execution has ended.',
  });

export const DurationMs = () =>
  Int({ nullable: true, description: 'Milliseconds from start to end; null until it has ended.' });
