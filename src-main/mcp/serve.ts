import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { BoundedLines } from './bounded-lines.ts';
import { createMcpServer, type ServerOptions } from './server.ts';

interface Pipes {
  input: Readable;
  output: Writable;
}

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
  const lines = new BoundedLines((why) => {
    options.log('warn', 'A message from the client was refused', { why });
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: REFUSALS[why] })}\n`);
  });
  input.on('error', () => lines.end());
  input.once('close', () => lines.end());
  lines.once('close', () => end(undefined));
  output.once('error', () => end(undefined));
  const connection = serveStdio(() => createMcpServer(options), {
    transport: new StdioServerTransport(input.pipe(lines), output),
    onerror: (error) => options.log('warn', 'The MCP connection reported an error', { reason: error.message }),
  });
  stop.addEventListener('abort', () => end(undefined), { once: true });
  await ended;
  input.unpipe(lines);
  await connection.close();
}
