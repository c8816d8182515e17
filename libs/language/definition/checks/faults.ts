import { Details } from '#libs/platform/errors/details';

/** One thing that is wrong with a definition: where, by what rule, and a sentence. */
export interface DefinitionFault {
  /** The block that the fault is in, when it is in one. */
  blockId?: string;
  /** From the root of the definition, as `blocks[2].params.url`. */
  path: string;
  /** Stable, in lower case. */
  code: string;
  message: string;
}

/** Collects the faults of one definition. */
export class Faults {
  private readonly details = new Details<DefinitionFault>();

  /** `idAt` gives the block that a path leads to, so that a report needs no more than the path. */
  constructor(private readonly idAt: (path: string) => string | undefined) {}

  readonly add = (path: string, code: string, message: string): void =>
    this.details.add(() => {
      const blockId = this.idAt(path);
      return { ...(blockId === undefined ? {} : { blockId }), path, code, message };
    });

  get none(): boolean {
    return this.details.none;
  }

  get all(): DefinitionFault[] {
    return this.details.all;
  }
}
