/** A stream that is being read. */
export interface Heard {
  status: number;
  text: string;
  isOpen: boolean;
  close(): void;
}

/** Reads a stream in the background until it is closed. */
export async function follow(url: string, init: RequestInit = {}): Promise<Heard> {
  const ended = new AbortController();
  const response = await fetch(url, { ...init, signal: ended.signal });
  const heard = { status: response.status, text: '', isOpen: true, close: () => ended.abort() };
  void (async () => {
    try {
      for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
    } catch {
      // It was closed.
    }
    heard.isOpen = false;
  })();
  return heard;
}
