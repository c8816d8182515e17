import { KnowledgeResource } from '#libs/sdk/src/generated/knowledge';
import { transport } from '../client.ts';

export const knowledgeApi = new KnowledgeResource(transport);
