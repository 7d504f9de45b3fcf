import type { IncomingMessage, ServerResponse } from 'node:http';

const LET_THROUGH = 'x-let-through';

/** Makes requests of a demo service wait until a test lets them through, one by one. */
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

/** Asks the service once more, as somebody who need not wait, and hands on what it says. */
async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await fetch(`http://${request.headers.host ?? ''}${request.url ?? ''}`, {
    headers: { [LET_THROUGH]: '1' },
  });
  const kept = ['content-type', 'cache-control', 'etag'];
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => kept.includes(name)));
  response.writeHead(answer.status, headers).end(await answer.text());
}
