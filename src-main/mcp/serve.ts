import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../contract/ports.ts';
import { BoundedLines } from './bounded-lines.ts';
import { createMcpServer, type ServerOptions } from './server.ts';

interface Pipes {
  input: Readable;
  output: Writable;
}

const MOST_LOGGED = 20;

/** JSON-RPC's codes. */
const REFUSALS = {
  not_json: { code: -32_700, message: 'Parse error: a message is one JSON object on one line.' },
  too_large: { code: -32_600, message: 'Invalid request: the message is too large.' },
} as const;

/**
 * Serves one client over two pipes, with nothing but the protocol on `output`. Resolves when `input` ends, when `output` breaks, or
 * when `stop` is aborted.
 */
export async function serveMcp(options: ServerOptions, { input, output }: Pipes, stop: AbortSignal): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const { promise: closed, resolve: close } = Promise.withResolvers<undefined>();
  const log = limited(options.log);
  const refuse = (why: keyof typeof REFUSALS): void => {
    log('warn', 'A message from the client was refused', { why });
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: REFUSALS[why] })}\n`);
  };
  // A client that writes much and reads nothing waits. Once it writes no more, what it wrote last is answered.
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

/** A client that sends only nonsense must not fill the log. */
function limited(log: Log): Log {
  let left = MOST_LOGGED;
  return (level, message, fields) => {
    left -= 1;
    if (left >= 0) log(level, message, fields);
    if (left === 0) log(level, 'More problems with this client are not logged');
  };
}
