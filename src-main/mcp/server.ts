import { randomBytes } from 'node:crypto';
import { McpServer, type CallToolResult, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { BroadsheetError, toFailure } from '../contract/errors.ts';
import type { Log } from '../contract/ports.ts';
import { ageOf, dataAge, NOTICE, textOf } from './answer.ts';
import type { Archive } from './archive.ts';
import { addPrompts } from './prompts.ts';
import { addResources } from './resources.ts';
import { lineOf } from './texts.ts';
import type { Tool } from './tool.ts';
import { TOOLS } from './tools/tools.ts';

export interface ServerOptions {
  archive: Archive;
  version: string;
  /** ms since 1970. */
  now: () => number;
  log: Log;
  /** The code of the marks around quoted text: nobody can know the next one. */
  code?: () => string;
}

/** Under this name a failed call has its code, as the page gets it. */
export const FAILURE_META = 'app.broadsheet/failure';
/** Members and elements of the arguments of one call. */
const MOST_ARGUMENTS = 100;
const LONGEST_MESSAGE = 400;

const INSTRUCTIONS =
  'A local archive of AI news and of a model catalogue, kept by the Broadsheet reader: read-only, also offline. ' +
  'Each result says how old its data is. Begin with latest_daily or search; lists are short and have pages. ' +
  `${NOTICE} Cite title, source, original link and time of what you use.`;

/** A server over saved data. It reads only, and nothing that a client sends ends it. */
export function createMcpServer(options: ServerOptions): McpServer {
  const { archive, version, now, code = () => randomBytes(8).toString('hex') } = options;
  const server = new McpServer(
    { name: 'broadsheet', title: 'Broadsheet', version },
    { instructions: INSTRUCTIONS, maxToolInputElements: MOST_ARGUMENTS },
  );
  for (const tool of TOOLS) addTool(server, tool, { ...options, code });
  addResources(server, { archive, now, code });
  addPrompts(server);
  return server;
}

function addTool(server: McpServer, tool: Tool, host: Required<ServerOptions>): void {
  const { name, title, description, input, facts, quoted } = tool;
  const output = z.object({ notice: z.string(), dataAge, ...facts, quoted: z.object(quoted) });
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: shownOnly(input),
      outputSchema: output,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (args) => answerCall(tool, args, host),
  );
}

/** The schema that a client sees. The tool checks its arguments itself, so that they fail with the project's codes. */
function shownOnly(schema: z.ZodObject): StandardSchemaWithJSON {
  const standard = schema['~standard'] as StandardSchemaWithJSON['~standard'];
  return { '~standard': { ...standard, validate: (value) => ({ value }) } };
}

async function answerCall(tool: Tool, args: unknown, host: Required<ServerOptions>): Promise<CallToolResult> {
  try {
    const checked = checkedArguments(tool, args);
    const now = host.now();
    return await host.archive.read(async (call) => {
      const { said, facts, quoted, lines } = await tool.read(checked, { call, now });
      const age = await ageOf(call, tool.resource(checked), now);
      return {
        content: [{ type: 'text', text: textOf({ said, lines }, age, host.code()) }],
        structuredContent: { notice: NOTICE, dataAge: age, ...facts, quoted },
      };
    });
  } catch (error) {
    if (!(error instanceof BroadsheetError))
      host.log('error', 'A tool failed', { tool: tool.name, trace: traceOf(error) });
    return failed(error);
  }
}

function checkedArguments({ name, input }: Tool, args: unknown): Record<string, unknown> {
  const checked = input.safeParse(args);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const where = issue?.path.join('.') || 'arguments';
  throw new BroadsheetError('invalid_argument', `${name}: ${where}: ${issue?.message ?? 'is invalid'}`);
}

function failed(error: unknown): CallToolResult {
  const { code, message, retryable } = toFailure(error);
  const text = `${code}: ${lineOf(message, LONGEST_MESSAGE) ?? ''}`;
  return { isError: true, content: [{ type: 'text', text }], _meta: { [FAILURE_META]: { code, retryable } } };
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
