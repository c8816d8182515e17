import type { JsonObject } from '#libs/platform/json/json';
import type { CelPlace } from './cel-text.ts';
import type { DraftBlock } from './draft.ts';
import type { N8nExpressions } from './n8n-expressions.ts';
import type { N8nNode } from './n8n-graph.ts';
import type { Needs, Surroundings } from './report.ts';
import { readSecret } from './secrets.ts';

/** The result of converting a node. */
export interface ConvertedNode {
  block: JsonObject;
  /** The place of its item; its output when absent, and a sentence when there is no single place. */
  out?: CelPlace | string;
  /** The ports of each of its outputs. */
  ports?: string[][];
}

/** One node, with all that its conversion needs. */
export class N8nContext {
  /** Set when the node's followers run after a failure too. */
  goesOnAfterFailure = false;

  constructor(
    readonly node: N8nNode,
    readonly piece: DraftBlock,
    readonly expressions: N8nExpressions,
    readonly around: {
      needs: Needs;
      surroundings: Surroundings;
      /** The items that come in by each input, of a node that has several. */
      inputs: CelPlace[];
      /** The models, tools and memories that are attached to it. */
      attached: N8nNode[];
      /** The place of another node's item by its name. */
      outputOf: (name: string) => CelPlace | string | undefined;
      declare: (name: string) => void;
    },
  ) {}

  change(sentence: string): void {
    if (!this.piece.changes.includes(sentence)) this.piece.changes.push(sentence);
  }

  readSecret(name: string, note: string): string {
    return readSecret(this.around.needs, name, note);
  }
}
