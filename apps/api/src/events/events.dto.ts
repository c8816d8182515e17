import { Texts } from '../http/fields.ts';

/** The data of one event about a workspace. */
export class WorkspaceEventView {
  @Texts({
    description:
      'The parts that have changed: `executions`, `pauses` or `settings`. Empty in the first event, which gives the current state.',
  })
  changed!: string[];
}
