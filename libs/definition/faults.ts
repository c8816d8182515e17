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

/** More faults than anyone reads; further ones are only counted. */
export const faultsMax = 1000;

/** Collects the faults of one definition. */
export class Faults {
  private readonly listed: DefinitionFault[] = [];
  private more = 0;

  /** `idAt` gives the block that a path leads to, so that a report needs no more than the path. */
  constructor(private readonly idAt: (path: string) => string | undefined) {}

  readonly add = (path: string, code: string, message: string): void => {
    if (this.listed.length >= faultsMax) {
      this.more++;
      return;
    }
    const blockId = this.idAt(path);
    this.listed.push({ ...(blockId === undefined ? {} : { blockId }), path, code, message });
  };

  get none(): boolean {
    return this.listed.length === 0;
  }

  get all(): DefinitionFault[] {
    if (this.more === 0) return this.listed;
    const message = `There are ${this.more} more faults.`;
    return [...this.listed, { path: '', code: 'too_many_faults', message }];
  }
}
