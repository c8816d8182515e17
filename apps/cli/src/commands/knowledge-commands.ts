import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Schemas } from '#libs/sdk/src/holdfast';
import { Exit, exitCodes, UsageError } from '../exit.ts';
import { wholeNumber } from '../inputs.ts';
import { findKnowledgeBase } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
import { examples } from './session-commands.ts';
import { uploadText } from './table-commands.ts';

/** Commands for knowledge bases: list, create, add, search. */
export function addKnowledgeCommands(program: Command, context: CommandContext): void {
  const knowledge = program.command('knowledge').description('Knowledge bases and their documents');
  knowledge
    .command('list', { isDefault: true })
    .description('List the knowledge bases')
    .action(withSession(context, listBases));
  knowledge
    .command('create <name>')
    .description('Create a knowledge base')
    .addHelpText('after', examples('holdfast knowledge create manuals'))
    .action(withSession(context, createBase));
  knowledge
    .command('add <base> <files...>')
    .description('Add documents, and wait until they can be searched')
    .option('--detach', 'do not wait')
    .addHelpText('after', examples('holdfast knowledge add manuals *.pdf'))
    .action(withSession(context, addDocuments));
  knowledge
    .command('search <base> <query>')
    .description('Search a knowledge base')
    .option('--top <n>', 'how many passages', wholeNumber(), 5)
    .action(withSession(context, search));
}

async function listBases(session: CommandSession): Promise<void> {
  const bases = await session.client.knowledge.list({ workspaceId: await session.workspaceId() }).toArray();
  session.show(bases, () =>
    formatTable(
      session.terminal,
      ['BASE', 'NAME'],
      bases.map(({ id, name }) => [id, name]),
    ),
  );
}

async function createBase(session: CommandSession, _options: CommandOptions, name = ''): Promise<void> {
  const workspaceId = await session.workspaceId();
  const base = await session.client.knowledge.create({ workspaceId, name });
  session.done(base, `${name} is created.`);
}

async function addDocuments(
  session: CommandSession,
  options: CommandOptions,
  name = '',
  ...files: string[]
): Promise<void> {
  const { client, terminal } = session;
  const workspaceId = await session.workspaceId();
  const { id } = await findKnowledgeBase(session, workspaceId, name);
  const documents: Schemas['DocumentView'][] = [];
  for (const file of files) {
    const content = await openAsBlob(file).catch(() => {
      throw new UsageError(`${file} cannot be read.`);
    });
    const upload = { files: { name: basename(file), content }, workspaceId };
    const { document } = await client.knowledge.documents.add(id, upload, {
      onUploadProgress: (progress) => terminal.progress(uploadText(file, progress)),
      timeout: 600_000,
    });
    documents.push(
      options['detach'] ? document : await waitForDocument(session, workspaceId, id, document.id, file),
    );
  }
  terminal.progress('');
  session.show(documents, () =>
    formatTable(
      terminal,
      ['DOCUMENT', 'FILE', 'STATUS', 'CHUNKS', 'NOTE'],
      documents.map((one) => [
        one.id,
        one.filename,
        one.processingStatus,
        one.chunkCount,
        one.processingError ?? one.warnings.join(' '),
      ]),
    ),
  );
  if (documents.some(({ processingStatus }) => processingStatus === 'failed'))
    throw new Exit(exitCodes.failed);
}

async function waitForDocument(
  session: CommandSession,
  workspaceId: string,
  baseId: string,
  documentId: string,
  file: string,
) {
  for (;;) {
    const { document } = await session.client.knowledge.documents.get(baseId, documentId, {
      workspaceId,
      wait: 5,
    });
    if (document.processingStatus === 'completed' || document.processingStatus === 'failed') return document;
    const { chunksDone = 0, chunksTotal } = Object(document.progress);
    session.terminal.progress(
      `${file}: ${document.processingStatus} ${chunksDone}${chunksTotal ? `/${chunksTotal}` : ''}`,
    );
  }
}

async function search(
  session: CommandSession,
  options: CommandOptions,
  name = '',
  query = '',
): Promise<void> {
  const workspaceId = await session.workspaceId();
  const { id } = await findKnowledgeBase(session, workspaceId, name);
  const topK = options['top'] as number;
  const found = await session.client.knowledge.search({ workspaceId, knowledgeBaseIds: [id], query, topK });
  session.show(
    found,
    () =>
      found.results
        .map((one) =>
          safeText(
            `${one.similarity.toFixed(3)}  ${one.documentName} #${one.chunkIndex}\n${one.content}\n\n`,
          ),
        )
        .join('') || 'Nothing was found.\n',
  );
}
