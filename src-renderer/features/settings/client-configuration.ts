import type { Result } from '../../../src-main/contract/methods.ts';

/** Kinds of clients by the configuration that they accept. */
export const CLIENTS = ['json', 'vscode', 'claudeCode'] as const;
export type Client = (typeof CLIENTS)[number];

type McpCommand = Pick<Result<'mcp.command'>, 'command' | 'args'>;

const NAME = 'broadsheet';

/** Returns the text to paste for a kind of client. `platform` is `process.platform`: shells differ in their quotes. */
export function configurationFor(client: Client, { command, args }: McpCommand, platform: string): string {
  switch (client) {
    case 'json':
      return asJson({ mcpServers: { [NAME]: { command, args } } });
    case 'vscode':
      return asJson({ servers: { [NAME]: { type: 'stdio', command, args } } });
    case 'claudeCode':
      return ['claude', 'mcp', 'add', NAME, '--', command, ...args].map((part) => quoted(part, platform)).join(' ');
  }
}

function asJson(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** Quotes an argument for a shell: sh, or PowerShell on Windows. */
function quoted(text: string, platform: string): string {
  if (/^[\w./:@%+=-]+$/.test(text)) return text;
  if (platform === 'win32') return /^[\w./:@%+=\\-]+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
