import type { Schemas } from '../api/client.ts';
import { Act } from '../settings/acting.svelte.ts';

export type FilePreview = Schemas['ImportPreviewView'];

/** What a person may say about a file. An empty text lets the installation find it out. */
const nothingSaid = {
  delimiter: '',
  encoding: '',
  header: '',
  sheet: '',
  decimal: '',
  dateFormat: '',
  nulls: '',
};

/** The largest file that is imported in one call, in bytes. */
export const inCallBytesMax = 16 * 1024 * 1024;
export const fileTypes = '.csv,.tsv,.tab,.txt,.json,.jsonl,.ndjson,.xlsx,.xls,.ods,.gz';

/** The media type of a file by its name. What the file holds says more than its type. */
export function contentTypeOf({ name }: File) {
  if (/\.(jsonl|ndjson|json)$/i.test(name)) return 'application/x-ndjson' as const;
  return /\.(csv|tsv|tab)$/i.test(name) ? ('text/csv' as const) : ('application/octet-stream' as const);
}

/** A file that a person has chosen, what is said about it, and what an import would make of it. */
export class FileReading {
  file = $state.raw<File>();
  said = $state({ ...nothingSaid });
  mapping = $state<Record<string, string | null>>({});
  preview = $state.raw<FilePreview>();
  readonly looking = new Act();
  readonly #look: (file: File, params: Record<string, unknown>) => Promise<FilePreview>;
  #lookCount = 0;

  constructor(look: (file: File, params: Record<string, unknown>) => Promise<FilePreview>) {
    this.#look = look;
  }

  /** The parameters of an import of the file. */
  get params() {
    const said = Object.entries(this.said).filter(([, value]) => value !== '');
    const mapping = Object.keys(this.mapping).length > 0 ? { mapping: JSON.stringify(this.mapping) } : {};
    return { ...(Object.fromEntries(said) as Partial<typeof nothingSaid>), ...mapping } as Record<
      string,
      string
    >;
  }

  /** Takes another file, or none. */
  async choose(file: File | undefined): Promise<void> {
    this.file = file;
    this.preview = undefined;
    this.said = { ...nothingSaid };
    this.mapping = {};
    await this.again();
  }

  /** Forgets the mapping, because another delimiter or sheet has other columns. */
  async sayAgain(): Promise<void> {
    this.mapping = {};
    await this.again();
  }

  /** Puts a column of the file into a column of the table: null leaves it out, and undefined makes a new one. */
  async map(name: string, column: string | null | undefined): Promise<void> {
    const { [name]: _before, ...rest } = this.mapping;
    this.mapping = column === undefined ? rest : { ...rest, [name]: column };
    await this.again();
  }

  /** Looks at the file. An answer that comes after a later question is dropped. */
  async again(): Promise<void> {
    const { file } = this;
    if (!file) return;
    const count = ++this.#lookCount;
    await this.looking.run(async () => {
      const preview = await this.#look(file, { ...this.params, contentType: contentTypeOf(file) });
      if (count === this.#lookCount) this.preview = preview;
    });
  }
}
