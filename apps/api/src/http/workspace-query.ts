import { ApiQuery } from '@nestjs/swagger';
import { Text } from './fields.ts';

const optional = 'The id of the workspace. It may be left out when the key reaches only one.';
const required = 'The id of the workspace.';

/**
 * The workspace in a body or a query. The guard reads it. When the handler needs it `named`, the guard refuses a call
 * without it.
 */
export function WorkspaceId(about: { required?: boolean } = {}): PropertyDecorator {
  return Text({ optional: !about.required, max: 100, description: about.required ? required : optional });
}

/** Documents this parameter for a handler without a shape for its query. */
export function TakesWorkspace(about: { required?: boolean } = {}): MethodDecorator {
  return ApiQuery({
    name: 'workspaceId',
    required: about.required ?? false,
    type: String,
    description: about.required ? required : optional,
  });
}
