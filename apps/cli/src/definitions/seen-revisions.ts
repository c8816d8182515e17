import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The revision of each draft that this folder has seen, by the id of its workflow, for one workspace of one installation. */
export class SeenRevisions {
  private constructor(
    private readonly path: string,
    private readonly place: string,
    private readonly all: Record<string, Record<string, string>>,
  ) {}

  /** They lie beside the schema for editors, and belong to this copy of the folder alone. */
  static async read(folder: string, url: string, workspaceId: string): Promise<SeenRevisions> {
    const path = join(folder, '.holdfast', 'seen.json');
    const all = await readFile(path, 'utf8').then(
      (text) => JSON.parse(text) as Record<string, Record<string, string>>,
      () => ({}),
    );
    return new SeenRevisions(path, `${url} ${workspaceId}`, all);
  }

  get(workflowId: string): string | undefined {
    return this.all[this.place]?.[workflowId];
  }

  set(workflowId: string, etag: string): void {
    (this.all[this.place] ??= {})[workflowId] = etag;
  }

  async write(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await writeFile(join(dirname(this.path), '.gitignore'), '*\n');
    await writeFile(this.path, `${JSON.stringify(this.all, null, 2)}\n`);
  }
}
