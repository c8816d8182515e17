import { openEmbedder } from '#libs/knowledge/embedder/open-embedder';
import { round, table } from './figures.ts';
import { readCorpus, listPackages, type CorpusPassage, embedPassages } from './quality/corpus.ts';
import {
  exactQueries,
  questionQueries,
  type QuestionSet,
  type JudgedQuestion,
  writtenQuestions,
} from './quality/questions.ts';
import { Rankings, type RankingName, ways } from './quality/rankings.ts';

interface QualityOptions {
  say(line: string): void;
}

const ranksMax = 10;

/** The quality of one ranking. `mrr` is the mean of `1 / rank` of the first answer among ten. */
interface Quality {
  r1: number;
  r5: number;
  mrr: number;
  exactR1: number;
  exactMrr: number;
}

/**
 * How well the product's ranking finds answers, beside plain cosine, BM25 and their fusion by reciprocal ranks. The
 * texts are the documentation of installed packages. The weights were chosen on other questions about other files.
 */
export async function knowledgeQuality({ say }: QualityOptions): Promise<Record<string, unknown>> {
  const embedder = await openEmbedder({ kind: 'local' });
  try {
    const written = await writtenQuestions();
    const files = [...new Set(written.map(({ file }) => file))];
    const sources = await readCorpus(files, embedder);
    const packages = await listPackages(files);
    say(`Embedding ${files.length} files of ${packages.join(', ')} ...`);
    const begin = performance.now();
    const passages = await embedPassages(sources, embedder);
    const vectors = passages.reduce((sum, one) => sum + one.vectors.length, 0);
    const embeddingS = (performance.now() - begin) / 1000;
    say(`  ${passages.length} passages, ${vectors} vectors in ${embeddingS.toFixed(0)} s`);
    const partOf = (file: string): QuestionSet =>
      written.find((one) => one.file === file)?.part ?? 'REPORTED';
    const queries = { questions: questionQueries(written, sources), exact: exactQueries(passages, partOf) };
    const measured = async (part: QuestionSet) => {
      const [questions, exact] = [queries.questions, queries.exact].map((all) =>
        all.filter((one) => one.part === part),
      );
      return qualities(new Rankings(passages), passages, { questions, exact }, (text) =>
        embedder.embedQuery(text),
      );
    };
    const [development, reported] = [await measured('DEVELOPMENT'), await measured('REPORTED')];
    say(
      `\nThe questions on which the weights were chosen:\n${linesOf(development)}\n\nAll others:\n${linesOf(reported)}`,
    );
    return {
      ...figuresOf(reported),
      passages: passages.length,
      vectors,
      model: embedder.model,
      corpus: packages,
      ...countsOf(queries),
    };
  } finally {
    await embedder.close();
  }
}

interface QuestionFiles {
  questions?: JudgedQuestion[];
  exact?: JudgedQuestion[];
}

async function qualities(
  rankings: Rankings,
  passages: CorpusPassage[],
  { questions = [], exact = [] }: QuestionFiles,
  vectorOf: (text: string) => Promise<Float32Array>,
): Promise<Record<RankingName, Quality>> {
  const ranksOf = async (queries: JudgedQuestion[]) => {
    const ranks: Record<RankingName, number[]> = { holdfast: [], cosine: [], bm25: [], fusion: [] };
    for (const query of queries) {
      const ranked = rankings.rank({ text: query.text, vector: await vectorOf(query.text) });
      for (const way of ways)
        ranks[way].push(ranked[way].findIndex((place) => isAnswered(query, passages[place])));
    }
    return ranks;
  };
  const [questionRanks, exactRanks] = [await ranksOf(questions), await ranksOf(exact)];
  const entries = ways.map((way): [RankingName, Quality] => [
    way,
    qualityOf(questionRanks[way], exactRanks[way]),
  ]);
  return Object.fromEntries(entries) as Record<RankingName, Quality>;
}

function isAnswered(query: JudgedQuestion, passage: CorpusPassage | undefined): boolean {
  return passage !== undefined && query.isAnswer(passage);
}

function qualityOf(questionRanks: number[], exactRanks: number[]): Quality {
  return {
    r1: within(questionRanks, 1),
    r5: within(questionRanks, 5),
    mrr: mrr(questionRanks),
    exactR1: within(exactRanks, 1),
    exactMrr: mrr(exactRanks),
  };
}

function within(ranks: number[], most: number): number {
  return round(ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length, 3);
}

function mrr(ranks: number[]): number {
  const sum = ranks.reduce((all, rank) => all + (rank >= 0 && rank < ranksMax ? 1 / (rank + 1) : 0), 0);
  return round(sum / ranks.length, 3);
}

/** The product's figures by their names. The figures of the other rankings are under the ranking's name. */
function figuresOf({ holdfast, ...others }: Record<RankingName, Quality>): Record<string, unknown> {
  const all = Object.values(others);
  const goals = ['r1', 'r5', 'mrr', 'exactR1'] as const;
  const notBetter = goals.filter((goal) => holdfast[goal] <= Math.max(...all.map((one) => one[goal])));
  return { bench: 'knowledge-quality', ...holdfast, ...others, goalsHold: notBetter.length === 0, notBetter };
}

function countsOf(queries: { questions: JudgedQuestion[]; exact: JudgedQuestion[] }): Record<string, number> {
  const count = (all: JudgedQuestion[]) => all.filter(({ part }) => part === 'REPORTED').length;
  return { questions: count(queries.questions), exactTokens: count(queries.exact) };
}

function linesOf(measured: Record<RankingName, Quality>): string {
  const rows = ways.map((way) => {
    const { r1, r5, mrr: mean, exactR1, exactMrr } = measured[way];
    return [way, r1, r5, mean, exactR1, exactMrr];
  });
  return table(['', 'R@1', 'R@5', 'MRR', 'exact R@1', 'exact MRR'], rows);
}
