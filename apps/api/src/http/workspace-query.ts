import { ApiQuery } from '@nestjs/swagger';
import { Text } from './fields.ts';

const optional = 'The id of the workspace. It may be left out when the key reaches only one.';
const required = 'The id of the workspace.';

/** The workspace that a body or a query names. The guard reads it, and refuses a call without it where the handler needs it `named`. */
export function WorkspaceId(about: { required?: boolean } = {}): PropertyDecorator {
  return Text({ optional: !about.required, max: 100, description: about.required ? required : optional });
}

/** Documents the same parameter for a handler that has no shape for its query. */
export function TakesWorkspace(about: { required?: boolean } = {}): MethodDecorator {
  return ApiQuery({
    name: 'workspaceId',
    required: about.required ?? false,
    type: String,
    description: about.required ? required : optional,
  });
}
