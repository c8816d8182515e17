import { BulkResource } from '#libs/sdk/src/generated/bulk';
import { transport } from '../client.ts';

export const bulkApi = new BulkResource(transport);
