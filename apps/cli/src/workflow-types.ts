import type { Holdfast } from '#libs/sdk/src/holdfast';
import { toObject, type PlainObject } from './json-object.ts';

const inputTypes: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'unknown[]',
  object: 'Record<string, unknown>',
};

/** A module that tells the TypeScript client the inputs and the outputs of every deployed workflow of a workspace. */
export async function writeTypes(client: Holdfast, workspaceId: string): Promise<string> {
  const entries: string[] = [];
  for await (const { id, name, version } of client.workflows.list({
    workspaceId,
    deployedOnly: true,
    limit: 100,
  })) {
    if (version === null) continue;
    const { definition } = await client.deployments.getVersion(id, version);
    entries.push(buildEntry(name, version, definition));
  }
  return `// Written by \`holdfast types\`: the deployed workflows of the workspace ${workspaceId}.
import '@holdfast/sdk';

declare module '@holdfast/sdk' {
  interface DeployedWorkflows {
${entries.toSorted().join('')}  }
}
`;
}

function buildEntry(name: string, version: number, definition: PlainObject): string {
  return `    /** Version ${version}. */
    ${JSON.stringify(name)}: { inputs: ${buildInputs(definition)}; output: ${buildOutput(definition)} };
`;
}

function buildInputs(definition: PlainObject): string {
  const declared = Object.entries(toObject(toObject(definition['start'])['inputs']));
  if (declared.length === 0) return 'Record<string, never>';
  const members = declared.map(([name, value]) => {
    const { type, required, default: preset } = toObject(value);
    const isOptional = required !== true || preset !== undefined;
    return `${JSON.stringify(name)}${isOptional ? '?' : ''}: ${inputTypes[String(type)] ?? 'unknown'}`;
  });
  return `{ ${members.join('; ')} }`;
}

/** The type of the output comes from the response blocks. A computed value is unknown before the run. */
function buildOutput(definition: PlainObject): string {
  const blocks = Array.isArray(definition['blocks']) ? definition['blocks'].map(toObject) : [];
  const responses = blocks
    .filter(({ type }) => type === 'response')
    .map(({ params }) => toType(toObject(params)['data']));
  return responses.length === 0 ? 'unknown' : [...new Set(responses)].join(' | ');
}

function toType(value: unknown): string {
  if (typeof value === 'string') return textType(value.trim());
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'unknown[]';
  if (value === null || value === undefined) return 'unknown';
  const members = Object.entries(toObject(value)).map(
    ([name, one]) => `${JSON.stringify(name)}: ${toType(one)}`,
  );
  return `{ ${members.join('; ')} }`;
}

/** A template that is one expression keeps the type of its value; one with text around it is a text. */
function textType(text: string): string {
  const isOne = text.startsWith('{{') && text.endsWith('}}') && text.indexOf('{{', 2) < 0;
  return isOne ? 'unknown' : 'string';
}
