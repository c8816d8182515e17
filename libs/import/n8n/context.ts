import type { JsonObject } from '#libs/platform/json/json';
import type { CelPlace } from '../cel-text.ts';
import type { DraftBlock, DraftStep } from '../draft.ts';
import type { N8nExpressions } from './expressions.ts';
import type { N8nNode } from './graph.ts';
import type { N8nRow, N8nParameters } from './table.ts';
import type { Needs, Surroundings } from '../report.ts';
import { readSecret } from '../secrets.ts';

/** The result of converting a node. */
export interface ConvertedNode {
  block: JsonObject;
  /** Blocks before it, which follow on the function that computes its values. */
  before?: DraftStep[];
  /** Blocks behind it. */
  after?: DraftStep[];
  /** The place of its item; its output when absent, and a sentence when there is no single place. */
  out?: CelPlace | string;
  /** The ports of each of its outputs. */
  ports?: string[][];
  /** True where its output may be several items. */
  several?: boolean;
  /** True where it goes through all items that come in. */
  takesAll?: boolean;
}

/** One node, with all that its conversion needs. */
export class N8nContext {
  /** Set when the node's followers run after a failure too. */
  goesOnAfterFailure = false;

  /** The parameters that are read: those of the row, unless its operation says other ones. */
  parameters: N8nParameters = {};

  constructor(
    readonly node: N8nNode,
    readonly piece: DraftBlock,
    readonly expressions: N8nExpressions,
    readonly around: {
      needs: Needs;
      surroundings: Surroundings;
      /** The items that come in by each input, of a node that has several. */
      inputs: CelPlace[];
      /** The models, tools and memories that are attached to a node, by its name. */
      attachedTo: (name: string) => N8nNode[];
      /** The row of a node in the table. */
      getRow: (node: N8nNode) => N8nRow | undefined;
      /** The place of another node's item by its name. */
      outputOf: (name: string) => CelPlace | string | undefined;
      declare: (name: string) => void;
    },
    /** An id for a block beside its own. */
    readonly idFor: (word: string) => string,
  ) {}

  change(sentence: string): void {
    if (!this.piece.changes.includes(sentence)) this.piece.changes.push(sentence);
  }

  readSecret(name: string, note: string): string {
    return readSecret(this.around.needs, name, note);
  }

  get attached(): N8nNode[] {
    return this.around.attachedTo(this.node.name);
  }
}
