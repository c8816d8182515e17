import type { Detail } from '#libs/platform/errors/errors';

export interface ErrorBody {
  error: string;
  code: string;
  requestId: string;
  details?: Detail[];
}

/** The form of refusals for the callers of some paths. */
export interface RefusalFormat {
  path: RegExp;
  write(status: number, body: ErrorBody): object;
}

/** Writes each refusal in the form that callers of its path expect. The owners of the paths give the forms. */
export class RefusalFormats {
  constructor(private readonly formats: RefusalFormat[]) {}

  write(url: string, status: number, body: ErrorBody): object {
    return this.formats.find(({ path }) => path.test(url))?.write(status, body) ?? body;
  }
}
