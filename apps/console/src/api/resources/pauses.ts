import { Pauses } from '#libs/sdk/src/pauses';
import { transport } from '../client.ts';

export const pausesApi = new Pauses(transport);
