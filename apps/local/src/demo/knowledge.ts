import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkout } from '../paths.ts';
import type { Client } from './client.ts';
import type { Screen } from './screen.ts';

interface KnowledgeStage {
  client: Client;
  screen: Screen;
}

interface ReadDocument {
  id: string;
  filename: string;
  processingStatus: string;
  processingError: string | null;
  chunkCount: number;
}

interface FoundPlace {
  page: string;
  under: string[];
  similarity: number;
}

/** Questions, each with the page that answers it. */
const questions: [question: string, page: string][] = [
  ['How do I make sure that only one row of a table has a value?', 'tables.md'],
  ['What happens to a paused approval when nobody answers in time?', 'approvals.md'],
  ['Can a block call an address inside of my own network?', 'security.md'],
  ['Which variable sets how long finished executions are kept?', 'operations.md'],
  ['How do I find a failed run, and the block that failed?', 'logs.md'],
];

const pages = 'apps/docs/pages';
const filesPerCall = 10;
const waitS = 60;

/** The documentation of the product becomes a knowledge base, and a workflow answers questions from it. Uses only HTTP. */
export class AskTheDocs {
  constructor(private readonly stage: KnowledgeStage) {}

  /** True when each question was answered from the page that answers it. */
  async play(): Promise<boolean> {
    const documents = await this.fill();
    const workflow = await this.deploy();
    const { screen } = this.stage;
    const checks: [boolean, string][] = [
      [
        documents.every(({ processingStatus }) => processingStatus === 'completed'),
        'every page is in the knowledge base',
      ],
    ];
    screen.heading('Questions');
    for (const [question, page] of questions) {
      const { answer, places } = await this.ask(workflow, question);
      screen.line(question);
      screen.note(firstLine(answer));
      for (const place of places)
        screen.note(`${place.similarity.toFixed(2)}  ${place.page}  ${place.under.join(' > ')}`);
      screen.line('');
      checks.push([
        places.some((place) => place.page === page),
        `${page} is among the places of "${question}"`,
      ]);
    }
    screen.heading('Checks');
    for (const [holds, what] of checks) screen.check(holds, what);
    return checks.every(([holds]) => holds);
  }

  private async fill(): Promise<ReadDocument[]> {
    const { client, screen } = this.stage;
    const made = await client.post<{ data: { knowledgeBase: { id: string; embeddingModel: string } } }>(
      '/api/v1/knowledge',
      { name: 'Holdfast documentation', chunkingConfig: { maxSize: 400, minSize: 100, overlap: 0 } },
    );
    const { id, embeddingModel } = made.data.knowledgeBase;
    const workspaces = await client.getJson<{ data: { id: string }[] }>('/api/v1/workspaces');
    screen.step('Knowledge base', embeddingModel);
    const path = `/api/v1/knowledge/${id}/documents`;
    const files = documentation();
    for (let from = 0; from < files.length; from += filesPerCall) {
      const form = new FormData();
      for (const file of files.slice(from, from + filesPerCall))
        form.append('file', new Blob([readFileSync(file)], { type: 'text/markdown' }), basename(file));
      await client.upload(path, form);
    }
    screen.step('Uploaded', `${files.length} pages`);
    let shown = 0;
    for (;;) {
      const { data } = await client.getJson<{ data: { documents: ReadDocument[] } }>(
        `${path}?workspaceId=${workspaces.data[0]?.id}&limit=100&sortBy=filename&sortOrder=asc`,
      );
      const open = data.documents.find(
        ({ processingStatus: status }) => status === 'pending' || status === 'processing',
      );
      const done = data.documents.filter(({ processingStatus: status }) => status === 'completed');
      if (done.length >= shown + 10 || !open)
        screen.step(
          'Embedded',
          `${(shown = done.length)} pages, ${done.reduce((sum, { chunkCount }) => sum + chunkCount, 0)} chunks`,
        );
      if (!open) {
        for (const { filename, processingError } of data.documents)
          if (processingError !== null) screen.note(`${filename}: ${processingError}`);
        return data.documents;
      }
      await client.getJson(`${path}/${open.id}?wait=${waitS}`);
    }
  }

  private async deploy(): Promise<string> {
    const { client, screen } = this.stage;
    const definition: unknown = JSON.parse(
      readFileSync(join(checkout(), 'apps/local/examples/ask-the-docs.json'), 'utf8'),
    );
    const { data } = await client.post<{ data: { id: string } }>('/api/v1/workflows', {
      name: 'Ask the docs',
      definition,
    });
    await client.post(`/api/v1/workflows/${data.id}/deploy`, {});
    screen.step('Deployed', 'a workflow that answers questions');
    return data.id;
  }

  private async ask(workflow: string, question: string): Promise<{ answer: string; places: FoundPlace[] }> {
    const { output } = await this.stage.client.post<{ output: { answer: string; places: FoundPlace[] } }>(
      `/api/workflows/${workflow}/execute`,
      { inputs: { question } },
    );
    return output;
  }
}

/** The pages for users, without those for contributors. */
function documentation(): string[] {
  return [pages, `${pages}/blocks`].flatMap((folder) =>
    readdirSync(join(checkout(), folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(checkout(), folder, name)),
  );
}

function firstLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '' && !one.startsWith('#')) ?? '';
  return line.length > 110 ? `${line.slice(0, 107)}...` : line;
}
