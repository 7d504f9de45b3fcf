import { once } from 'node:events';
import { Transform, type Readable, type TransformCallback, type Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import pLimit from 'p-limit';
import { BroadsheetError } from '../contract/errors.ts';
import type { Log } from '../contract/ports.ts';
import { callOf, type Wire } from '../contract/wire.ts';
import { createMcpServer, type Archive, type ServerOptions } from './server.ts';

/** Calls that are open at a time. A client that sends more does not wait for answers. */
export const MAX_WAITING = 64;

export interface OpenArchive {
  wire: Wire;
  close: () => Promise<void>;
}

/**
 * Opens the files for each call in turn, so that an app that runs meanwhile can rename, repair or replace its files, and
 * no answer is from files that were replaced (docs/decisions/122).
 */
export function openForEachCall(
  openToRead: () => Promise<OpenArchive | undefined>,
  openToWrite?: () => Promise<OpenArchive>,
): Archive {
  const oneAtATime = pLimit(1);
  const through =
    (open: typeof openToRead): Archive['read'] =>
    async (work) => {
      if (oneAtATime.activeCount + oneAtATime.pendingCount >= MAX_WAITING) {
        throw new BroadsheetError('rate_limited', 'Too many calls at once. Wait for an answer first.', {
          retryable: true,
        });
      }
      return oneAtATime(async () => {
        const opened = await open();
        if (opened) return work(callOf(opened.wire)).finally(opened.close);
        throw new BroadsheetError(
          'not_found',
          'Nothing is saved in this data folder yet. Start Broadsheet, or run `broadsheet sync`.',
        );
      });
    };
  return { read: through(openToRead), ...(openToWrite && { write: through(openToWrite) }) };
}

interface Pipes {
  input: Readable;
  output: Writable;
}

const MAX_LOGGED = 20;

const REFUSALS = {
  not_json: { code: -32_700, message: 'Parse error: a message is one JSON object on one line.' },
  too_large: { code: -32_600, message: 'Invalid request: the message is too large.' },
} as const;

/** Serves one client over two pipes. Resolves when `input` ends, `output` breaks, or `stop` is aborted. */
export async function serveMcp(options: ServerOptions, { input, output }: Pipes, stop: AbortSignal): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const { promise: closed, resolve: close } = Promise.withResolvers<undefined>();
  const log = limitLog(options.log);
  const refuse = (why: keyof typeof REFUSALS): void => {
    log('warn', 'A message from the client was refused', { why, reason: REFUSALS[why].message });
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: REFUSALS[why] })}\n`);
  };
  // A client that writes without reading waits, and its last messages are still answered.
  const room = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    if (output.writableNeedDrain) await Promise.race([once(output, 'drain').catch(() => undefined), closed]);
  };
  const lines = new BoundedLines(refuse, room);
  input.on('error', () => lines.end());
  input.once('close', () => {
    close(undefined);
    lines.end();
  });
  lines.once('close', () => end(undefined));
  output.once('error', () => end(undefined));
  const connection = serveStdio(() => createMcpServer(options), {
    transport: new StdioServerTransport(input.pipe(lines), output),
    onerror: (error) => log('warn', 'The MCP connection reported an error', { reason: error.message }),
  });
  stop.addEventListener('abort', () => end(undefined), { once: true });
  await ended;
  input.unpipe(lines);
  await connection.close();
}

/** Keeps a client that sends only nonsense from filling the log. */
function limitLog(log: Log): Log {
  let left = MAX_LOGGED;
  return (level, message, fields) => {
    left -= 1;
    if (left >= 0) log(level, message, fields);
    if (left === 0) log(level, 'More problems with this client are not logged');
  };
}

/** In bytes, for one message. The largest argument is a query of 1,000 characters. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

const LINE_FEED = 0x0a;
const EMPTY = Buffer.alloc(0);

/** Passes on JSON objects and refuses other lines, which the SDK skips, or ends the connection if they are too long. */
export class BoundedLines extends Transform {
  readonly #refuse: (why: 'not_json' | 'too_large') => void;
  readonly #room: () => Promise<unknown>;
  #held: Buffer[] = [];
  #bytes = 0;
  #dropping = false;

  /** @param room resolves when there is room for another answer */
  constructor(refuse: (why: 'not_json' | 'too_large') => void, room: () => Promise<unknown>) {
    super();
    this.#refuse = refuse;
    this.#room = room;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#take(chunk).then(() => done(), done);
  }

  async #take(chunk: Buffer): Promise<void> {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      this.#hold(rest.subarray(0, end));
      this.#endLine();
      rest = rest.subarray(end + 1);
      await this.#room();
    }
    this.#hold(rest);
  }

  #hold(part: Buffer): void {
    if (this.#dropping) return;
    this.#bytes += part.length;
    if (this.#bytes > MAX_MESSAGE_BYTES) {
      this.#dropping = true;
      this.#held = [];
      return;
    }
    // Copied, because a small part would keep its whole chunk in memory.
    if (part.length > 0) this.#held.push(Buffer.from(part));
  }

  #endLine(): void {
    const line = this.#held.length === 0 ? EMPTY : Buffer.concat(this.#held);
    const isTooLong = this.#dropping;
    this.#held = [];
    this.#bytes = 0;
    this.#dropping = false;
    if (isTooLong) this.#refuse('too_large');
    else if (!isMessage(line)) this.#refuse('not_json');
    else this.push(Buffer.concat([line, Buffer.from([LINE_FEED])]));
  }
}

function isMessage(line: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
