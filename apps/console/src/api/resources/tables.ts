import { TablesResource } from '#libs/sdk/src/generated/tables';
import { transport } from '../client.ts';

export const tablesApi = new TablesResource(transport);
