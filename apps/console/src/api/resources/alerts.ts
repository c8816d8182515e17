import { AlertsResource } from '#libs/sdk/src/generated/alerts';
import { transport } from '../client.ts';

export const alertsApi = new AlertsResource(transport);
