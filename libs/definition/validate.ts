import type { Definition } from '#libs/definition/definition';

export interface DefinitionFault {
  blockId?: string;
  path: string;
  code: string;
  message: string;
}

export interface Validated {
  faults: DefinitionFault[];
  warnings: string[];
  definition?: Definition;
}

/** A stand-in until the checks are written: lets everything pass. */
export function validate(input: unknown): Validated {
  return { faults: [], warnings: [], definition: input as Definition };
}
