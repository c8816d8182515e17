import { type Answer, answerOf, described, type Stack } from './stack.ts';

const path = '/api/v1/knowledge';

/** Makes knowledge bases for a test through the API. */
export class Knowledge {
  /** The base that was made last. */
  last = '';
  private count = 0;

  constructor(private readonly stack: () => Stack) {}

  async givenBase(more: object = {}): Promise<string> {
    const { body } = await this.stack().post(path, { name: `base ${this.count++}`, ...more });
    this.last = body.data.knowledgeBase.id;
    return this.last;
  }

  /** Makes a base with one processed document. */
  async givenText(
    filename: string,
    text: string,
    more: object = {},
  ): Promise<{ base: string; document: string }> {
    const base = await this.givenBase(more);
    const { body } = await this.stack().post(`${path}/${base}/documents?wait=30`, { text, filename });
    if (body.data?.document.processingStatus !== 'completed') throw new Error(JSON.stringify(body));
    return { base, document: body.data.document.id };
  }

  async upload(
    base: string,
    files: [name: string, content: string | Uint8Array<ArrayBuffer>, type?: string][],
    wait = 0,
    fields: Record<string, string> = {},
  ): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    for (const [name, content, type = 'text/plain'] of files)
      form.append('file', new Blob([content], { type }), name);
    return this.send(`${path}/${base}/documents?wait=${wait}`, form);
  }

  async send(place: string, body: FormData): Promise<Answer> {
    const { url, home } = this.stack();
    const answer = await fetch(url + place, { method: 'POST', body, headers: { 'x-api-key': home.key } });
    return described('POST', place, await answerOf(answer));
  }

  chunks(base: string, document: string): Promise<Answer> {
    return this.stack().get(`${path}/${base}/documents/${document}/chunks`);
  }

  search(bases: string[], query: string, more: object = {}): Promise<Answer> {
    return this.stack().post(`${path}/search`, { knowledgeBaseIds: bases, query, ...more });
  }
}
