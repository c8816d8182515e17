import { folderMax } from '#libs/runs/workflows/folder';
import { Bool, Int, Obj, Text, Time } from '../http/fields.ts';

export const nameMax = 128;
export const descriptionMax = 2000;

/** The fields that the bodies and views of a workflow share. */
export const WorkflowName = () =>
  Text({ min: 1, max: nameMax, description: 'The name, which no other workflow of the workspace may have.' });

export const WorkflowDescription = () =>
  Text({
    optional: true,
    max: descriptionMax,
    description: 'The description of the workflow; empty when left out.',
  });

export const FolderPath = () =>
  Text({
    optional: true,
    max: folderMax,
    description: 'The path of the folder, for example `sales/eu`; empty for the top.',
  });

export const WorkflowDefinition = () =>
  Obj({ description: 'The definition; /api/v1/definition-schema holds its JSON Schema.' });

export const IsDeployed = () =>
  Bool({ description: 'True when a version is live and the workflow can be executed.' });

export const LiveSince = () =>
  Time({
    nullable: true,
    description:
      'The time at which the live version became live, in ISO 8601 and UTC; null when no version is live.',
  });

export const LiveVersion = () =>
  Int({ nullable: true, description: 'The number of the live version; null when no version is live.' });
