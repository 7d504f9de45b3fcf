import { beforeEach, describe, expect, it } from 'vitest';
import { configurationFor } from '../../../../src-renderer/features/settings/client-configuration.ts';
import { openCore, type CoreWire } from '../../support/core.ts';
import { openSection } from '../../support/settings-page.ts';

const COMMAND = {
  command: '/usr/bin/node',
  args: ['/app/bin/broadsheet.mjs', 'mcp', '--data', "/home/o'neil/my data"],
};

describe('the configuration for a client', () => {
  it('is valid JSON with command and data folder', () => {
    expect(JSON.parse(configurationFor('json', COMMAND, 'linux'))).toEqual({ mcpServers: { broadsheet: COMMAND } });
    expect(JSON.parse(configurationFor('vscode', COMMAND, 'linux'))).toEqual({
      servers: { broadsheet: { type: 'stdio', ...COMMAND } },
    });
  });

  it('is one command with the quotes of the shell', () => {
    expect(configurationFor('claudeCode', COMMAND, 'darwin')).toBe(
      `claude mcp add broadsheet -- /usr/bin/node /app/bin/broadsheet.mjs mcp --data '/home/o'\\''neil/my data'`,
    );
    const onWindows = { command: 'C:\\node\\node.exe', args: ['mcp', '--data', "C:\\Users\\O'Neil\\my data"] };
    expect(configurationFor('claudeCode', onWindows, 'win32')).toBe(
      `claude mcp add broadsheet -- C:\\node\\node.exe mcp --data 'C:\\Users\\O''Neil\\my data'`,
    );
    const harmful = { command: 'node', args: ['$(touch x);`id` "&|'] };
    expect(configurationFor('claudeCode', harmful, 'linux')).toBe(
      `claude mcp add broadsheet -- node '$(touch x);\`id\` "&|'`,
    );
  });
});

describe('AI tools in the settings', () => {
  const written: string[] = [];
  let wire: CoreWire;
  beforeEach(async () => {
    wire = await openCore();
    wire.app.ports.commandLine = ['/usr/bin/node', '/app/bin/broadsheet.mjs'];
    written.length = 0;
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void written.push(text) },
    });
  });

  it('show the configuration with the paths, and copy it for each kind of client', async () => {
    const { panel, click, choose, says } = await openSection(wire, 'advanced');
    const shown = (): string => panel().querySelector('pre')?.textContent ?? '';
    expect(JSON.parse(shown())).toMatchObject({
      mcpServers: { broadsheet: { args: ['/app/bin/broadsheet.mjs', 'mcp', '--data', wire.app.folder] } },
    });
    expect(panel().textContent).not.toContain('has no command');
    await click('Copy');
    expect(says('Copied')).toBe(true);
    await choose('Claude Code');
    expect(says('Copied')).toBe(false);
    expect(shown()).toMatch(/^claude mcp add broadsheet -- /);
    await click('Copy');
    expect(written).toEqual([expect.stringContaining('mcpServers') as string, shown()]);
  });
});
