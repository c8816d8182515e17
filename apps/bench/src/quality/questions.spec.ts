import { HashEmbedder } from '#libs/knowledge/embedder/hash-embedder';
import { readCorpus, embedPassages } from './corpus.ts';
import { exactQueries, type QuestionSet, questionQueries, writtenQuestions } from './questions.ts';

test('each question has its answer in the corpus, and no file is in both parts', async () => {
  const written = await writtenQuestions();
  const of = (part: QuestionSet) => written.filter((one) => one.part === part);
  expect(of('REPORTED').length).toBeGreaterThanOrEqual(150);
  expect(of('DEVELOPMENT').length).toBeGreaterThanOrEqual(50);
  const filesOf = (part: QuestionSet) => new Set(of(part).map(({ file }) => file));
  expect([...filesOf('REPORTED')].filter((file) => filesOf('DEVELOPMENT').has(file))).toEqual([]);
  expect(new Set(written.map(({ question }) => question)).size).toBe(written.length);

  const embedder = new HashEmbedder();
  const sources = await readCorpus([...new Set(written.map(({ file }) => file))], embedder);
  const passages = await embedPassages(sources, embedder);
  const partOf = (file: string): QuestionSet => (filesOf('REPORTED').has(file) ? 'REPORTED' : 'DEVELOPMENT');
  const queries = [...questionQueries(written, sources), ...exactQueries(passages, partOf)];
  const unanswered = queries.filter((query) => !passages.some((passage) => query.isAnswer(passage)));
  expect(unanswered.map(({ text }) => text)).toEqual([]);
  expect(queries.length).toBeGreaterThan(written.length + 150);
});
