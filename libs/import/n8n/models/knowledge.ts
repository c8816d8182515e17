import type { JsonObject } from '#libs/platform/json/json';
import { template } from '../../cel-text.ts';
import type { ConvertedNode, N8nContext } from '../context.ts';
import type { N8nNode } from '../graph.ts';
import { getDocument, getPrompt, readParts } from './parts.ts';
import { NotMapped } from '../../report.ts';
import { toPlain } from '../services/service.ts';
import { parseNumber, toText } from '../../values.ts';

/** The knowledge base that takes the place of a store of vectors: it has the name of the collection. */
function getBase(context: N8nContext, { name, parameters }: N8nNode): string {
  const said = ['qdrantCollection', 'pineconeIndex', 'tableName', 'memoryKey'].map((key) =>
    toText(toPlain(parameters[key] ?? '')),
  );
  const base = said.find((one) => one !== '') ?? name;
  if (base.startsWith('='))
    throw new NotMapped(
      `It calculates the name of its collection. Name a knowledge base in a knowledge block.`,
    );
  context.around.needs.addNeed(
    'knowledgeBase',
    base,
    `"${name}" keeps its documents there: make it, and add them anew.`,
  );
  context.change(
    `The knowledge base "${base}" takes the place of its collection. It cuts and embeds documents by itself, and finds by words and meaning together.`,
  );
  return base;
}

const toSearch = (base: string, query: string, topK: number): JsonObject => ({
  type: 'knowledge',
  params: { operation: 'search', knowledgeBases: [base], query, topK },
});

/** A store of vectors in the flow: it adds documents, or finds some. */
export function convertStore(context: N8nContext): ConvertedNode {
  const { parameters, name } = context.node;
  const mode = toText(parameters['mode']);
  const base = getBase(context, context.node);
  const { id } = context.piece;
  if (mode === 'load') {
    const query = String(context.expressions.template(parameters['prompt'] ?? ''));
    const after = {
      id: context.idFor('items'),
      block: {
        type: 'function',
        params: {
          code: 'const items = input.results.map(({ content, similarity, tags }) => ({ document: { pageContent: content, metadata: tags ?? {} }, score: similarity }));\nreturn items.length === 1 ? items[0] : items;',
          input: { results: template(`${id}.results`) },
        },
      },
    };
    return {
      block: toSearch(base, query, parseNumber(parameters['topK']) ?? 4),
      after: [after],
      out: { root: after.id, steps: [] },
      several: true,
    };
  }
  if (mode !== 'insert') throw new NotMapped(`It does ${mode}, outside of an agent. Use a knowledge block.`);
  const text = context.expressions.template(
    getDocument(context.attached.find((node) => context.around.getRow(node)?.part?.kind === 'document')),
  );
  return {
    block: {
      type: 'knowledge',
      params: { operation: 'add', knowledgeBase: base, text, filename: `${name}.txt` },
    },
    out: { root: id, steps: ['document'] },
  };
}

/** The store that is attached to a node, itself or by a retriever. */
function getStore(context: N8nContext, node: N8nNode): { store: N8nNode; topK: number } {
  const topK = parseNumber(node.parameters['topK']) ?? 4;
  if (node.type.includes('.vectorStore')) return { store: node, topK };
  const store = context.around.attachedTo(node.name).find(({ type }) => type.includes('.vectorStore'));
  if (!store || !context.around.getRow(store))
    throw new NotMapped(`"${node.name}" has no store that is known here.`);
  return { store, topK };
}

/** Returns what builds a search in the store of a node. */
export function readStore(context: N8nContext, node: N8nNode): (query: string) => JsonObject {
  const { store, topK } = getStore(context, node);
  const base = getBase(context, store);
  return (query) => toSearch(base, query, topK);
}

/** The chain that answers a question from documents: a search, and a question to the model. */
export function convertQuestion(context: N8nContext): ConvertedNode {
  const { parameters, version } = context.node;
  const { model, retriever } = readParts(context);
  if (!retriever)
    throw new NotMapped('It has no retriever. Use a knowledge block, and give its results to an llm block.');
  const search = readStore(context, retriever);
  const question = String(getPrompt(context));
  const found = { id: context.idFor('search'), block: search(question) };
  const text = {
    id: context.idFor('context'),
    block: {
      type: 'function',
      params: {
        code: "return input.results.map(({ content }) => content).join('\\n\\n');",
        input: { results: template(`${found.id}.results`) },
      },
    },
  };
  const options = parameters['options'];
  const written = toText(
    typeof options === 'object' && options !== null && !Array.isArray(options)
      ? options['systemPromptTemplate']
      : undefined,
    "You are an assistant for question-answering tasks. Use the following pieces of retrieved context to answer the question.\nIf you don't know the answer, just say that you don't know, don't try to make up an answer.\n----------------\nContext: {context}",
  );
  const system = String(context.expressions.template(written))
    .replaceAll('{context}', template(text.id))
    .replaceAll(/\{(question|input)\}/g, () => question);
  context.change('It is a search in a knowledge base, and an llm block that gets what was found.');
  const { id } = context.piece;
  const content = { root: id, steps: ['content'] };
  return {
    before: [found, text],
    block: { type: 'llm', params: { ...model, system, prompt: question } },
    out: {
      root: id,
      steps: [],
      members: { response: version >= 1.5 ? content : { root: id, steps: [], members: { text: content } } },
    },
  };
}
