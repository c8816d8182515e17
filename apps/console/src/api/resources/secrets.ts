import { SecretsResource } from '#libs/sdk/src/generated/secrets';
import { transport } from '../client.ts';

export const secretsApi = new SecretsResource(transport);
