import { SavedViewsResource } from '#libs/sdk/src/generated/saved-views';
import { transport } from '../client.ts';

export const savedViewsApi = new SavedViewsResource(transport);
