import { posix } from 'node:path';
import ts from 'typescript';
import type { Room } from './rooms.ts';
import { isTestSupport } from './repository.ts';

/** One import of a source file. `types` is true when the import leaves no trace in the compiled code. */
export interface Import {
  /** A path from the top without its ending (`libs/platform/errors/errors`), or a package's name; Node's own are `node`. */
  target: string;
  ours: boolean;
  types: boolean;
}

export interface Source {
  path: string;
  text: string;
}

/** Every import of a source, type-only and dynamic ones included. */
export function importsOf({ path, text }: Source): Import[] {
  const typeOnly = typeOnlyNames(path, text);
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => {
    const ours = /^[.#]/.test(fileName);
    return {
      ours,
      target: ours ? placeOf(path, fileName) : packageOf(fileName),
      types: typeOnly.has(fileName),
    };
  });
}

/** Which imports the table refuses, each with its reason. Type-only imports may also follow `types`. */
export function refusals(rooms: Room[], source: Source): string[] {
  const room = roomOf(rooms, source.path);
  if (!room) return [`${source.path} is in no room of the table`];
  return importsOf(source).flatMap((one) => {
    if (one.ours ? allowsRoom(room, one) : allowsPackage(room, source.path, one)) return [];
    return [`${source.path} may not import ${one.target}${one.types ? ' (types)' : ''}`];
  });
}

/** The entries of `also` that no import needs any more. */
export function idle(rooms: Room[], all: Source[]): string[] {
  const targets = new Map(rooms.map((room) => [room, new Set<string>()]));
  for (const source of all) {
    const room = roomOf(rooms, source.path);
    for (const { target } of importsOf(source)) if (room) targets.get(room)?.add(target);
  }
  return [...targets].flatMap(([room, found]) =>
    Object.keys(room.also ?? {})
      .filter((place) => ![...found].some((target) => within(target, placeIn(place))))
      .map((place) => `${room.at} does not import ${place} any more`),
  );
}

/** Why a source cannot be read, if it cannot. */
export function parseFaults({ path, text }: Source): string[] {
  // The compiler's parser keeps its errors here, though its declarations do not say so.
  const faults: unknown = Reflect.get(
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest),
    'parseDiagnostics',
  );
  if (!Array.isArray(faults)) throw new Error('This version of TypeScript keeps its parse errors elsewhere.');
  return faults.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

/** The innermost room that holds the path. */
export function roomOf(rooms: Room[], path: string): Room | undefined {
  const holders = rooms.filter(({ at }) => within(path.replace(/\.ts$/, ''), at));
  return holders.toSorted((a, b) => b.at.length - a.at.length)[0];
}

function allowsRoom(room: Room, { target, types }: Import): boolean {
  const places = [room.at, ...(room.rooms ?? []), ...Object.keys(room.also ?? {})];
  return places.some((place) => {
    if (place.startsWith('types of ') && !types) return false;
    return within(target, placeIn(place));
  });
}

function allowsPackage(room: Room, path: string, { target }: Import): boolean {
  if (isTestSupport(path)) return true;
  return (room.packages ?? []).includes(target) || target in (room.also ?? {});
}

/** `types of libs/language/engine` allows only imports that leave no trace in the compiled code. */
function placeIn(entry: string): string {
  return entry.replace(/^types of /, '');
}

function within(target: string, place: string): boolean {
  return target === place || target.startsWith(`${place}/`);
}

function placeOf(path: string, name: string): string {
  const place = name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(path), name);
  return place.replace(/\.ts$/, '');
}

function packageOf(name: string): string {
  if (name.startsWith('node:')) return 'node';
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** Names that the file imports only for their types. */
function typeOnlyNames(path: string, text: string): Set<string> {
  const kinds = new Map<string, boolean>();
  for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const { text: name } = statement.moduleSpecifier;
    kinds.set(name, (kinds.get(name) ?? true) && isTypeOnly(statement));
  }
  return new Set([...kinds].flatMap(([name, types]) => (types ? [name] : [])));
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  if (clause.name || !named || !ts.isNamedImports(named)) return false;
  return named.elements.every((element) => element.isTypeOnly);
}
