import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { openEmbedder } from '#libs/knowledge/embedder/open-embedder';
import type { Embedder } from '#libs/knowledge/embedder/embedder';
import { indexedWords } from '#libs/knowledge/ranking/ranking';
import { until } from '#apps/local/src/processes';
import { round, quantile } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { best, type Corpus, buildCorpus } from './knowledge/corpus.ts';
import { fill, settle } from './knowledge/fill.ts';
import { buildPdf } from './knowledge/pdf.ts';
import { goalsHold } from './reports.ts';

interface KnowledgeOptions {
  rows: number;
  runs: number;
  say(line: string): void;
}

const chunksMax = 100_000;
/** Enough texts that each process of the embedder loads its model before the measurement. */
const warm = ['The first text', 'The second text', 'The third text', 'The last text'];
const topK = 10;
const indexMsMax = 900_000;
/** A base with more vectors gets an index. */
const exactVectorsMax = 50_000;
/** The goals of the figures. */
/**
 * Measures searches of a base of 100,000 chunks beside scoring every chunk, ingestion beside the bare embedder, and the
 * memory for a long PDF. The vectors are close to those of real texts.
 */
export async function knowledge(
  ground: Ground,
  { rows, runs, say }: KnowledgeOptions,
): Promise<Record<string, unknown>> {
  const installation = await ground.another('knowledge');
  const embedder = await openEmbedder({ kind: 'local' });
  const owner = new pg.Client({ connectionString: installation.databaseUrl });
  await owner.connect();
  const bench = new KnowledgeBench(installation, owner, embedder, {
    rows: Math.min(rows, chunksMax),
    runs,
    say,
  });
  try {
    const figures = await bench.run();
    return {
      bench: 'knowledge',
      chunks: Math.min(rows, chunksMax),
      ...figures,
      goalsHold: goalsHold('knowledge', figures),
    };
  } finally {
    await owner.end();
    await embedder.close();
  }
}

class KnowledgeBench {
  constructor(
    private readonly installation: Installation,
    private readonly owner: pg.Client,
    private readonly embedder: Embedder,
    private readonly options: KnowledgeOptions,
  ) {}

  async run(): Promise<Record<string, number>> {
    const { say, rows } = this.options;
    const ingestion = await this.ingestion();
    say('Reading a PDF of 1,000 pages ...');
    const pdf1000PeakMb = await this.pdf();
    say(`Writing ${rows} chunks ...`);
    const corpus = await buildCorpus(this.embedder, rows);
    const base = await this.givenBase('large');
    await fill(this.owner, base, corpus);
    say('Waiting for the index, where the base is large enough for one ...');
    const indexS = await this.indexed(base);
    await settle(this.owner);
    say('Searching ...');
    const searches = await this.searches(base, corpus);
    return { ...searches, ...ingestion, pdf1000PeakMb, indexS };
  }

  private async givenBase(name: string): Promise<string> {
    const { data } = await this.installation.post('/api/v1/knowledge', { name }, 200);
    return (data as { knowledgeBase: { id: string } }).knowledgeBase.id;
  }

  /**
   * The time from the upload of documents to the end of the last one, beside the embedder alone over the same texts.
   * The texts are two documents as long as a manual, and the same text as many short documents. Each short one costs a
   * workflow and a thread.
   */
  private async ingestion() {
    const { say } = this.options;
    say('Processing documents ...');
    const base = await this.givenBase('ingestion');
    await Promise.all(warm.map((text, i) => this.add(base, `warm${i}.txt`, text)));
    const pages = readdirSync('apps/docs/pages')
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(`apps/docs/pages/${name}`, 'utf8'));
    const long = await this.ingested(
      base,
      [0, 1].map((rest) => pages.filter((_, i) => i % 2 === rest).join('\n\n')),
    );
    const short = await this.ingested(base, pages);
    return {
      ingestRatioToEmbedder: long.ratio,
      ingestTextsPerS: long.textsPerS,
      embedderTextsPerS: long.embedderTextsPerS,
      ingestRatioOfShortDocuments: short.ratio,
    };
  }

  private async ingested(base: string, texts: readonly string[]) {
    const { say } = this.options;
    const begin = performance.now();
    const ids = await Promise.all(texts.map((text, i) => this.add(base, `${texts.length}-${i}.md`, text)));
    const ingestMs = performance.now() - begin;
    const windows: string[] = [];
    for (const id of ids) {
      const path = `/api/v1/knowledge/${base}/documents/${id}/chunks?limit=100`;
      const { data } = (await this.installation.get(path)) as {
        data: { chunks: { content: string; headings: string[] }[] };
      };
      for (const { content, headings: headingPath } of data.chunks)
        windows.push(...this.embedder.windows({ content, headingPath }));
    }
    await this.embedder.embedDocuments(warm);
    say(`The same ${windows.length} texts, with the embedder alone ...`);
    const rawBegin = performance.now();
    await this.embedder.embedDocuments(windows);
    const rawMs = performance.now() - rawBegin;
    return {
      ratio: round(rawMs / ingestMs),
      textsPerS: round((windows.length * 1000) / ingestMs),
      embedderTextsPerS: round((windows.length * 1000) / rawMs),
    };
  }

  /** Resolves when the document has been processed. */
  private async add(base: string, filename: string, text: string): Promise<string> {
    const path = `/api/v1/knowledge/${base}/documents`;
    const { data } = await this.installation.post(path, { filename, text }, 201);
    const { id } = (data as { document: { id: string } }).document;
    for (;;) {
      const read = (await this.installation.get(`${path}/${id}?wait=60`)) as {
        data: { document: { processingStatus: string; processingError: string | null } };
      };
      const { processingStatus, processingError } = read.data.document;
      if (processingStatus === 'completed') return id;
      if (processingStatus === 'failed') throw new Error(`${filename}: ${processingError}`);
    }
  }

  /** The highest memory of the worker from the upload until the document is cut. */
  private async pdf(): Promise<number> {
    const base = await this.givenBase('long');
    const peak = { kb: 0 };
    const look = setInterval(() => {
      peak.kb = Math.max(peak.kb, residentKb(this.installation.pids['worker'] ?? 0));
    }, 20);
    try {
      const path = `/api/v1/knowledge/${base}/documents`;
      const { data } = await this.installation.upload(path, 'long.pdf', buildPdf(1000));
      const { id } = (data as { document: { id: string } }).document;
      for (;;) {
        const read = (await this.installation.get(`${path}/${id}?wait=1`)) as {
          data: {
            document: {
              processingStatus: string;
              processingError: string | null;
              progress: { chunksTotal: number | null };
            };
          };
        };
        const { processingStatus, processingError, progress } = read.data.document;
        if (processingStatus === 'failed') throw new Error(String(processingError));
        if (progress.chunksTotal !== null) break;
      }
    } finally {
      clearInterval(look);
    }
    // Embedding the whole document would take the processors from the next measurement.
    await this.owner.query('delete from documents where filename = $1', ['long.pdf']);
    return round(peak.kb / 1024);
  }

  /** The time in which a worker builds the index. It begins within a minute. */
  private async indexed(base: string): Promise<number> {
    const counted =
      'select count(*)::int as n from vectors.chunk_vectors v join knowledge_bases b on b.no = v.base_no where b.id = $1';
    const { rows: counts } = await this.owner.query<{ n: number }>(counted, [base]);
    if ((counts[0]?.n ?? 0) <= exactVectorsMax) return 0;
    const state = async () => {
      const sql = 'select index_state from knowledge_bases where id = $1';
      const { rows } = await this.owner.query<{ index_state: string | null }>(sql, [base]);
      return rows[0]?.index_state;
    };
    await until(async () => (await state()) !== null, indexMsMax, 'The beginning of the index');
    const begin = performance.now();
    await until(async () => (await state()) === 'ready', indexMsMax, 'The index');
    return round((performance.now() - begin) / 1000);
  }

  private async searches(base: string, corpus: Corpus) {
    const durations: number[] = [];
    const whole: number[] = [];
    const recalls: number[] = [];
    const queries = corpus.queries.slice(0, this.options.runs);
    const ask = async (query: string) => {
      const begin = performance.now();
      const answer = await this.installation.post(
        '/api/v1/knowledge/search',
        { knowledgeBaseIds: [base], query, topK },
        200,
      );
      return {
        ms: performance.now() - begin,
        answer: answer as { data: { results: { similarity: number }[] } },
      };
    };
    // The first search embeds the query; a second one would find the kept embedding.
    for (const query of queries) whole.push((await ask(query)).ms);
    for (const query of queries) {
      const { ms, answer } = await ask(query);
      durations.push(ms);
      const { results } = answer.data;
      const bestScores = best(corpus, await this.embedder.embedQuery(query), indexedWords(query), topK);
      const least = bestScores.at(-1) ?? 0;
      recalls.push(results.filter(({ similarity }) => similarity >= least - 2e-3).length / topK);
    }
    return {
      searchP95Ms: round(quantile(durations, 0.95)),
      searchP50Ms: round(quantile(durations, 0.5)),
      searchWithEmbeddingP95Ms: round(quantile(whole, 0.95)),
      recallAt10: round(recalls.reduce((sum, one) => sum + one, 0) / recalls.length, 4),
    };
  }
}

function residentKb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
