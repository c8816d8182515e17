import type { Json, JsonObject } from '#libs/platform/json/json';
import type { DraftBlock } from '../draft.ts';
import type { Needs, Surroundings } from '../report.ts';
import type { SimExpressions } from './sim-expressions.ts';
import type { SimBlock } from './sim-graph.ts';
import { toText } from '../values.ts';

/** The result of converting a block. */
export interface SimTaken {
  block: JsonObject;
  /** The ports by the handles of the ways that leave it. */
  ports?: Map<string, string>;
}

/** One block, with all that its conversion needs. */
export class SimContext {
  constructor(
    readonly block: SimBlock,
    readonly piece: DraftBlock,
    readonly expressions: SimExpressions,
    readonly around: {
      needs: Needs;
      surroundings: Surroundings;
      /** The expressions of what is in the container that the block is, for its tests. */
      inside: SimExpressions;
      /** The result of each pass of a container. */
      collect: Json;
      /** The blocks to which a way leads, by their ids. */
      followers: Map<string, string>;
      /** The name of the variable that a block sets; declares it when the file does not. */
      declare: (name: string) => string;
    },
  ) {}

  change(sentence: string): void {
    if (!this.piece.changes.includes(sentence)) this.piece.changes.push(sentence);
  }

  /** A field as text, without references; the first that is not empty. */
  plain(...names: string[]): string {
    return names.map((name) => toText(this.block.fields[name])).find((text) => text.trim() !== '') ?? '';
  }

  /** The name of a thing that an export does not hold, which is looked for under the name of the block. */
  thing(kind: 'table' | 'knowledgeBase', ...names: string[]): string {
    const given = this.plain(...names);
    if (given.startsWith('<')) return this.expressions.text(given);
    const { name } = this.block;
    const what = kind === 'table' ? 'table' : 'knowledge base';
    this.around.needs.addNeed(
      kind,
      name,
      `"${name}" uses a ${what} of Sim${given && `, ${given}`}: make one under this name.`,
    );
    this.change(`Its ${what} is the one that is called "${name}".`);
    return name;
  }
}
