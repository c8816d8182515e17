import { SignInResource } from '#libs/sdk/src/generated/sign-in';
import { transport } from '../client.ts';

export const signInApi = new SignInResource(transport);
