import { CalendarsResource } from '#libs/sdk/src/generated/calendars';
import { transport } from '../client.ts';

export const calendarsApi = new CalendarsResource(transport);
