import { Injectable } from '@nestjs/common';
import { Deployments } from '#libs/runs/workflows/deployments';
import { DefinedTriggers } from '#libs/triggers/defined/defined-triggers';
import { Invalid } from '#libs/platform/errors/errors';
import { readShape } from '../http/validation.ts';
import { toFields } from './trigger-fields.ts';
import { CreateTriggerBody } from './triggers.dto.ts';

/** Lets definitions carry triggers, each in the form of the body that makes one. */
@Injectable()
export class TriggersOfDefinitions {
  constructor(deployments: Deployments, triggers: DefinedTriggers) {
    deployments.keepTriggers(
      triggers.buildKeeper(async (member) => {
        const { secret, ...fields } = toFields(await readShape(CreateTriggerBody, member));
        if (secret !== undefined)
          throw Invalid.field(
            'secret',
            'must not stand in a definition: name a secret of the workspace in webhook.secretName, or leave it out to have one made',
            'secret_in_definition',
          );
        return fields;
      }),
    );
  }
}
