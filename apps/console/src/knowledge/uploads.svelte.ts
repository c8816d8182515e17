import { KnowledgeResource } from '#libs/sdk/src/generated/knowledge';
import { sentenceOf } from '../api/client.ts';
import { uploader } from '../api/uploading.ts';

export interface FileUpload {
  id: number;
  name: string;
  percent: number;
  state: 'waiting' | 'sending' | 'stored' | 'duplicate' | 'failed';
  reason: string;
}

/** The files of one base that go up from this page, one after the other. */
export class FileUploads {
  list = $state<FileUpload[]>([]);
  #next = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly baseId: string,
    private readonly workspaceId: string,
    private readonly onstored: () => void,
  ) {}

  add(files: Iterable<File>): void {
    for (const file of files) {
      this.list.push({ id: ++this.#next, name: file.name, percent: 0, state: 'waiting', reason: '' });
      const upload = this.list.at(-1);
      if (upload) this.#last = this.#last.then(() => this.#send(file, upload));
    }
  }

  dismiss(id: number): void {
    this.list = this.list.filter((one) => one.id !== id);
  }

  async #send(file: File, upload: FileUpload): Promise<void> {
    upload.state = 'sending';
    const sending = new KnowledgeResource(
      uploader((sent, total) => (upload.percent = Math.floor((100 * sent) / Math.max(total, 1)))),
    );
    try {
      const { duplicates } = await sending.documents.add(this.baseId, {
        workspaceId: this.workspaceId,
        files: file,
      });
      upload.percent = 100;
      upload.state = duplicates > 0 ? 'duplicate' : 'stored';
      this.onstored();
    } catch (error) {
      upload.state = 'failed';
      upload.reason = sentenceOf(error);
    }
  }
}
