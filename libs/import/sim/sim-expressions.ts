import { isObject, type Json } from '#libs/platform/json/json';
import { type CelType, CelWriter } from '../cel-writer.ts';
import { literal, type CelPlace, stepInto, template, writePath } from '../cel-text.ts';
import { type Node, NotUnderstood, parseJavaScript } from '../javascript.ts';
import { parseJson, type JsonPart } from '../json-text.ts';
import { NotMapped } from '../report.ts';
import { getKey } from './sim-fields.ts';
import { clip } from '../values.ts';

/** The values that references of one block read. */
export interface SimScope {
  /** Where the output of the block lies that a reference names; undefined when there is no such block. */
  outputOf(key: string): CelPlace | undefined;
  /** The name of a variable by the name in a reference. */
  variable(key: string): string | undefined;
  /** The name of the pass of the container around the block; undefined outside of one. */
  pass: string | undefined;
  /** Reads a secret; throws NotMapped where none may be read. */
  secret(name: string): string;
}

const everywhere = /<[A-Za-z_][\w-]*(?:\.[\w$-]+|\[\d+\])*>|\{\{\s*[A-Za-z_]\w*\s*\}\}/g;
const atBegin = /^(?:<[A-Za-z_][\w-]*(?:\.[\w$-]+|\[\d+\])*>|\{\{\s*[A-Za-z_]\w*\s*\}\})/;
const whole = /^(?:<[A-Za-z_][\w-]*(?:\.[\w$-]+|\[\d+\])*>|\{\{\s*[A-Za-z_]\w*\s*\}\})$/;
const typed = new Set(['start', 'vars']);
const passes: Record<string, string> = {
  index: 'index',
  currentItem: 'item',
  item: 'item',
  items: 'items',
  iteration: 'index',
};

/** Turns the references of a block into templates. */
export class SimExpressions {
  private readonly writer: CelWriter;

  constructor(private readonly scope: SimScope) {
    this.writer = new CelWriter((node) => this.resolve(node));
  }

  /** A value with every reference in it rewritten. Throws NotMapped, naming what has no counterpart. */
  template(value: Json): Json {
    if (typeof value === 'string')
      return this.parts(value)
        .map((part) => ('text' in part ? literal(part.text) : part.hole))
        .join('');
    if (Array.isArray(value)) return value.map((one) => this.template(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.template(one)]));
  }

  text(value: Json | undefined): string {
    const made = this.template(value ?? '');
    return typeof made === 'string' ? made : JSON.stringify(made);
  }

  /** A text that is JSON once its references have values. */
  json(value: Json): Json {
    return typeof value === 'string' ? parseJson(this.parts(value)) : this.template(value);
  }

  /** A condition in JavaScript as a bare expression. */
  test(source: string, wanted: 'true' | 'false' = 'true'): string {
    try {
      const node = parseJavaScript(source, atBegin);
      return this.writer.test(wanted === 'true' ? node : { kind: 'unary', operator: '!', of: node });
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      throw new NotMapped(
        `The expression "${clip(source)}" has no counterpart: ${error.message}. Write it in CEL, or in a function block.`,
      );
    }
  }

  /** Source with each reference replaced by what `name` gives for the template that reads it. */
  replace(source: string, name: (hole: string) => string): string {
    return source.replaceAll(everywhere, (found) => {
      const hole = this.read(found);
      return hole === undefined ? found : name(template(hole));
    });
  }

  private parts(text: string): JsonPart[] {
    const parts: JsonPart[] = [];
    let before = '';
    let at = 0;
    for (const found of text.matchAll(everywhere)) {
      before += text.slice(at, found.index);
      at = found.index + found[0].length;
      const read = this.read(found[0]);
      if (read === undefined) {
        before += found[0];
        continue;
      }
      if (before !== '') parts.push({ text: before });
      parts.push({ hole: template(read) });
      before = '';
    }
    before += text.slice(at);
    if (before !== '' || parts.length === 0) parts.push({ text: before });
    return parts;
  }

  /** The expression of a reference; undefined for text that only looks like one, which Sim leaves as it is. */
  private read(found: string): string | undefined {
    if (found.startsWith('{{')) return this.scope.secret(found.slice(2, -2).trim());
    const place = this.placeOf(found);
    return place && writePath(place);
  }

  private resolve(node: Node): CelPlace | { cel: string; type: CelType } | undefined {
    const quoted = node.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined;
    if (quoted !== undefined && !whole.test(quoted) && this.parts(quoted).some((part) => 'hole' in part))
      throw new NotUnderstood('a reference is part of a quoted text');
    const text = node.kind === 'reference' ? node.text : quoted;
    if (text === undefined || !whole.test(text)) return undefined;
    if (text.startsWith('{{')) return { cel: this.scope.secret(text.slice(2, -2).trim()), type: 'string' };
    const place = this.placeOf(text);
    // Inputs and variables have types, and yet may be null.
    return place && typed.has(place.root) ? { ...place, root: `dyn(${place.root})` } : place;
  }

  private placeOf(found: string): CelPlace | undefined {
    const [first = '', ...steps] = found
      .slice(1, -1)
      .replaceAll('[', '.')
      .replaceAll(']', '')
      .split('.')
      .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const key = getKey(String(first));
    const [root, rest] = this.rootOf(key, steps, found);
    let place = root;
    for (const step of rest) {
      place = place && stepInto(place, step);
      if (!place) throw new NotMapped(`It reads ${found}, and that output has no counterpart here.`);
    }
    return place;
  }

  private rootOf(
    key: string,
    steps: (string | number)[],
    found: string,
  ): [CelPlace | undefined, (string | number)[]] {
    const [second = '', ...rest] = steps;
    if (key === 'loop' || key === 'parallel') {
      const name = Object.hasOwn(passes, second) ? passes[second] : undefined;
      if (!this.scope.pass || !name) throw new NotMapped(`It reads ${found}, which there is not here.`);
      return [{ root: this.scope.pass, steps: [name] }, rest];
    }
    if (key !== 'variable') {
      const place = this.scope.outputOf(key);
      // The start has its fields a second time, under this name.
      return [place, place?.root === 'start' && second === 'input' ? rest : steps];
    }
    const name = this.scope.variable(getKey(String(second)));
    if (name === undefined) throw new NotMapped(`It reads ${found}, and there is no such variable.`);
    return [{ root: 'vars', steps: [name] }, rest];
  }
}
