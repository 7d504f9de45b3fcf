import type { IncomingMessage, ServerResponse } from 'node:http';

const LET_THROUGH = 'x-let-through';

/** Holds requests to a demo service until a test releases them, one by one. */
export class Gate {
  readonly #matches: (url: string) => boolean;
  readonly #waiting: (() => void)[] = [];

  constructor(matches: (url: string) => boolean) {
    this.#matches = matches;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** For the demo service's options. */
  readonly intercept = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.headers[LET_THROUGH] !== undefined || !this.#matches(request.url ?? '')) return false;
    this.#waiting.push(() => void passOn(request, response));
    return true;
  };

  letThrough(): void {
    this.#waiting.shift()?.();
  }
}

/** Sends the request to the service again, not held this time, and returns the response. */
async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await fetch(`http://${request.headers.host ?? ''}${request.url ?? ''}`, {
    headers: { [LET_THROUGH]: '1' },
  });
  const forwarded = ['content-type', 'cache-control', 'etag'];
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => forwarded.includes(name)));
  response.writeHead(answer.status, headers).end(await answer.text());
}
