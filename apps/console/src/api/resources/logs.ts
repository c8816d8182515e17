import { LogsResource } from '#libs/sdk/src/generated/logs';
import { transport } from '../client.ts';

export const logsApi = new LogsResource(transport);
