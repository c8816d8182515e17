import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { say } from '#apps/local/src/say';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import type { Holder } from './files.ts';
import { manifestName, megabytes } from './manifest.ts';

const scheme = 's3://';
const partBytesMin = 16 * 1024 * 1024;
const partsMax = 10_000;
const saidEach = 320 * 1024 * 1024;

export const isBucketAddress = (name: string): boolean => name.startsWith(scheme);

/** A folder of a bucket that holds, or will hold, one backup. Credentials and addresses are those of the AWS tools. */
export class BucketFolder implements Holder {
  private constructor(
    readonly address: string,
    private readonly bucket: string,
    private readonly prefix: string,
    private readonly client: S3Client,
  ) {}

  static async open(address: string): Promise<BucketFolder> {
    const [bucket = '', ...folders] = address.slice(scheme.length).split('/');
    const prefix = folders.filter(Boolean).join('/');
    if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket) || !prefix)
      throw new CannotStart(
        `${address} names no folder of a bucket: give s3://BUCKET/FOLDER, with a new folder for each backup.`,
      );
    const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
    const isOwnServer = Boolean(AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL);
    const { S3Client } = await import('@aws-sdk/client-s3');
    const client = new S3Client({
      // Servers other than Amazon's have no region and no name for each bucket, and some do not know the newer checksums.
      ...(isOwnServer && { forcePathStyle: true }),
      ...(isOwnServer && !AWS_REGION && !AWS_DEFAULT_REGION && { region: 'us-east-1' }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 10_000, socketTimeout: 120_000 },
    });
    return new BucketFolder(address, bucket, prefix, client);
  }

  /** Throws when something is in the folder, or the bucket cannot be reached. */
  async refuseFilled(): Promise<void> {
    const names = await this.list();
    if (names.includes(manifestName))
      throw new CannotStart(`${this.address} is there already: name a new folder.`);
    if (names.length > 0)
      throw new CannotStart(
        `${this.address} holds ${names.length} objects and no ${manifestName}: another backup runs, or one was killed. Delete them in that case.`,
      );
  }

  /** Uploads a stream, of which some parts are in memory. The object is there when all of it is. None is overwritten. */
  async writeFile(name: string, source: AsyncIterable<Buffer>, bytesMax = 0): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const upload = new Upload({
      client: this.client,
      partSize: Math.max(partBytesMin, Math.ceil(bytesMax / partsMax)),
      params: {
        Bucket: this.bucket,
        Key: this.toKey(name),
        Body: Readable.from(source),
        IfNoneMatch: '*',
      },
    });
    let saidAt = 0;
    upload.on('httpUploadProgress', ({ loaded = 0 }) => {
      if (loaded - saidAt < saidEach) return;
      saidAt = loaded;
      say(`Uploaded ${megabytes(loaded)} of ${name}`);
    });
    await this.worded(upload.done(), name);
  }

  async readFile(name: string): Promise<Readable> {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const get = new GetObjectCommand({ Bucket: this.bucket, Key: this.toKey(name) });
    const { Body } = await this.worded(this.client.send(get), name);
    return Readable.from(this.wordedParts(Body as Readable, name));
  }

  private async *wordedParts(parts: Readable, name: string): AsyncGenerator<Buffer> {
    try {
      yield* parts;
    } catch (error) {
      await this.worded(Promise.reject(error as Error), name);
    }
  }

  private async list(): Promise<string[]> {
    const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
    const Prefix = this.toKey('');
    const list = new ListObjectsV2Command({ Bucket: this.bucket, Prefix, MaxKeys: 100 });
    const { Contents = [] } = await this.worded(this.client.send(list), '');
    return Contents.map(({ Key = '' }) => Key.slice(Prefix.length));
  }

  private readonly toKey = (name: string) => `${this.prefix}/${name}`;

  /** Rejects with a sentence that says what to do, where the reason is known. */
  private async worded<T>(work: Promise<T>, name: string): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const {
        name: kind,
        message,
        code,
        $metadata,
      } = error as Error & {
        code?: string;
        $metadata?: { httpStatusCode?: number };
      };
      // Some errors of the library have the name of their cause in the message alone.
      const names = [kind, code ?? '', ...message.split(/\W+/)];
      const status = $metadata?.httpStatusCode ?? 0;
      const advice =
        names.map((one) => adviceByError[one]).find(Boolean) ??
        (status >= 400 && status < 500 ? checkPermission : undefined);
      if (!advice && kind !== 'Error' && !$metadata) throw error;
      throw new CannotStart(
        `${this.address}${name && `/${name}`} cannot be used (${code ?? kind}: ${message}). ${advice ?? 'Try again later.'}`,
      );
    }
  }
}

const checkCredentials =
  'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile that the AWS tools use here.';
const checkAddress =
  'Check AWS_ENDPOINT_URL_S3, the address of the server, and that it can be reached from here.';
const adviceByError: Record<string, string> = {
  NoSuchBucket: 'Make the bucket first, or name another one.',
  NoSuchKey: 'There is no whole backup: name another folder.',
  NotFound: 'There is no whole backup: name another folder.',
  PermanentRedirect: 'Give the region of the bucket as AWS_REGION.',
  AuthorizationHeaderMalformed: 'Give the region of the bucket as AWS_REGION.',
  PreconditionFailed: 'Another backup writes to this folder: name a new one.',
  ConditionalRequestConflict: 'Another backup writes to this folder: name a new one.',
  CredentialsProviderError: checkCredentials,
  SignatureDoesNotMatch: checkCredentials,
  InvalidAccessKeyId: checkCredentials,
  ExpiredToken: checkCredentials,
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  ENOTFOUND: checkAddress,
  EAI_AGAIN: checkAddress,
  ECONNREFUSED: checkAddress,
  ECONNRESET: checkAddress,
  ETIMEDOUT: checkAddress,
  TimeoutError: checkAddress,
};
const checkPermission = `The key may need permission to list, read and write in this bucket. ${checkCredentials}`;
