import { FileReadError } from './errors.ts';
import type { UploadProgress } from './options.ts';

/** Bytes or text that a call sends. A stream can be sent once, so a call with one is not repeated. */
export type Content = string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file: a `File`, or a name with its content. In Node, `fs.openAsBlob(path)` makes a Blob of a file without reading it whole. */
export type FileInput = File | { name: string; content: Content; type?: string };

/** A body that is ready to be sent. `open` may be called again when `isRepeatable`. */
export interface UploadBody {
  contentType: string;
  isRepeatable: boolean;
  /** The error of reading the caller's own content, if that is why sending failed. */
  readError: () => FileReadError | undefined;
  open: (onProgress?: (progress: UploadProgress) => void) => Blob | ReadableStream<Uint8Array>;
}

type BlobParts = ConstructorParameters<typeof Blob>[0];

interface FormPart {
  name: string;
  content: Content;
}

/** A body of one content. */
export function contentBody(content: Content, contentType: string): UploadBody {
  return bodyOf([{ name: 'The content', content }], contentType);
}

/** A multipart form: the fields first, then the files. A field that is no text is written as JSON. */
export function formBody(fields: Record<string, unknown>, files: FileInput[]): UploadBody {
  const boundary = `holdfast-${crypto.randomUUID()}`;
  const parts: FormPart[] = [];
  const text = (content: string) => parts.push({ name: 'The form', content });
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const written = typeof value === 'string' ? value : JSON.stringify(value);
    text(`--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n\r\n${written}\r\n`);
  }
  for (const file of files) {
    const { name, content, type } =
      file instanceof Blob ? { name: file.name, content: file, type: file.type } : file;
    const place = `form-data; name="file"; filename="${escapeName(name)}"`;
    text(`--${boundary}\r\nContent-Disposition: ${place}\r\nContent-Type: ${typeOf(content, type)}\r\n\r\n`);
    parts.push({ name, content });
    text('\r\n');
  }
  text(`--${boundary}--\r\n`);
  return bodyOf(parts, `multipart/form-data; boundary=${boundary}`);
}

function bodyOf(parts: FormPart[], contentType: string): UploadBody {
  const isRepeatable = parts.every(({ content }) => isWhole(content));
  let failed: FileReadError | undefined;
  return {
    contentType,
    isRepeatable,
    readError: () => failed,
    open(onProgress) {
      failed = undefined;
      const wholes = parts.map(({ content }) => content).filter(isWhole);
      // Not every browser can send a stream, and a Blob tells its length.
      if (isRepeatable && !onProgress) return new Blob(wholes as BlobParts);
      const totalBytes = isRepeatable ? new Blob(wholes as BlobParts).size : undefined;
      const chunks = readParts(parts, (error) => (failed = error));
      return streamOf(chunks, (sentBytes) => onProgress?.({ sentBytes, totalBytes }));
    },
  };
}

async function* readParts(
  parts: FormPart[],
  onError: (error: FileReadError) => void,
): AsyncGenerator<Uint8Array> {
  for (const { name, content } of parts) {
    try {
      yield* bytesOf(content);
    } catch (cause) {
      const error = new FileReadError(name, { cause });
      onError(error);
      throw error;
    }
  }
}

async function* bytesOf(content: Content): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield new TextEncoder().encode(content);
  else if (content instanceof Uint8Array) yield content;
  else if (content instanceof Blob) yield* readStream(content.stream());
  else if (content instanceof ReadableStream) yield* readStream(content);
  else yield* content;
}

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  onSent: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) {
        controller.close();
        return;
      }
      controller.enqueue(value);
      sent += value.byteLength;
      onSent(sent);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

function isWhole(content: Content): content is string | Uint8Array | Blob {
  return typeof content === 'string' || content instanceof Uint8Array || content instanceof Blob;
}

function typeOf(content: Content, type: string | undefined): string {
  return type || (content instanceof Blob && content.type) || 'application/octet-stream';
}

/** As browsers write names in a form. */
function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
