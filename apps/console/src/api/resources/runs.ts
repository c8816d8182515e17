import { Workflows } from '#libs/sdk/src/workflows';
import { transport } from '../client.ts';

/** The calls that run a workflow and follow the run. */
export const runsApi = new Workflows(transport);
