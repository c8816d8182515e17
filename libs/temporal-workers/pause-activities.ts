import { Injectable } from '@nestjs/common';
import { Recorder } from '#libs/executions/recorder';
import { Answers } from '#libs/pauses/answers';
import type { LocalActivities } from '#temporal/activities';
import { lasting } from './run-activities.ts';

/** What a run asks the rows of its pauses, whose word on who came first is final. */
@Injectable()
export class PauseActivities {
  constructor(
    private readonly answers: Answers,
    private readonly recorder: Recorder,
  ) {}

  get table() {
    return {
      acceptSignalled: (run, message) =>
        lasting(async () =>
          (await this.recorder.owns(run)) ? this.answers.acceptSignalled(run, message) : null,
        ),
      expirePause: (run, path, atMs) =>
        lasting(async () =>
          (await this.recorder.owns(run)) ? this.answers.expire(run, path, new Date(atMs)) : [],
        ),
      tellPeople: (run, path, occasion) => lasting(() => this.recorder.tellPeople(run, path, occasion)),
    } satisfies Partial<LocalActivities>;
  }
}
