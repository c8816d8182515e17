import { JobsResource } from '#libs/sdk/src/generated/jobs';
import { transport } from '../client.ts';

export const jobsApi = new JobsResource(transport);
