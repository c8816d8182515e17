import { Workflows } from '#libs/sdk/src/workflows';
import { transport } from '../client.ts';

/** The calls that run a workflow, with what they need to follow it. */
export const runsApi = new Workflows(transport);
