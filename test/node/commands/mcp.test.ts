import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MAX_MESSAGE_BYTES } from '../../../src-main/mcp/serve.ts';
import { resolveInvocation } from '../../../src-main/node/invocation.ts';
import { openCore } from '../../../src-main/node/open-core.ts';
import { openArchiveScene, use, type ArchiveScene } from '../../mcp/support/archive-scene.ts';
import { CLI } from '../../support/built-node.ts';
import { jsonLines, startCli } from '../child.ts';
import { hearShell } from '../shells.ts';

interface Message {
  jsonrpc: string;
  id: number | null;
  result?: { isError?: boolean; tools?: unknown[]; content?: { text: string }[] };
  error?: { code: number; message: string };
}

let scene: ArchiveScene;
beforeAll(async () => {
  scene = await openArchiveScene();
  scene.service.control.addItem({ title: '全新推理模型 Zephyrine', summary: 'A reasoning model.' });
  expect(await scene.run('sync', '--all')).toMatchObject({ code: 0 });
  await scene.service.close();
});
afterAll(() => scene.close());

// Each of these starts the command.
describe('the command mcp over pipes', () => {
  it('serves a client of the SDK while the app uses the folder and the service is down', async () => {
    const { shell } = hearShell({ BROADSHEET_NEWS_URL: scene.service.newsAddress });
    const app = await openCore(resolveInvocation({ data: scene.data }, shell), { fetches: true });
    onTestFinished(() => app.close());
    // Settings shows this command, by way of the launcher.
    const shown = await app.wire.call('mcp.command', {});
    const launcher = join(CLI, '../../../bin/broadsheet.mjs');
    expect(shown).toEqual({
      ok: true,
      value: { command: process.execPath, args: [launcher, 'mcp', '--data', scene.data], found: true },
    });
    expect(existsSync(launcher)).toBe(true);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', '--data', scene.data],
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    onTestFinished(() => client.close());
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(10);
    expect(tools.map(({ name }) => name)).not.toContain('mark_items');
    for (const query of ['推理模型', 'reasoning zephyrine']) {
      expect((await use(client, 'search', { query })).text).toContain('全新推理模型 Zephyrine');
    }
    expect((await use(client, 'get_report')).found.quoted).toMatchObject({ report: { kind: 'daily' } });
    const { found } = await use<{ topics: { storyId: string; storySaved: boolean }[] }>(client, 'list_hot_topics');
    const saved = found.quoted.topics.find(({ storySaved }) => storySaved);
    expect((await use(client, 'get_story', { id: saved?.storyId })).text).toMatch(/https?:\/\//);

    // Changes of the app are in the next answer, and it can still write.
    const star = { ids: [], mark: 'star' };
    const items = await use<{ items: { id: string }[] }>(client, 'whats_new_since', { since: '2020-01-01', limit: 1 });
    const id = items.found.quoted.items[0]?.id ?? '';
    expect(await app.wire.call('items.mark', { ...star, ids: [id], mark: 'star' })).toMatchObject({ ok: true });
    const starred = await use<{ groups: { hits: { id: string }[] }[] }>(client, 'search', {
      query: 'is:starred',
      kinds: ['items'],
    });
    expect(starred.found.quoted.groups[0]?.hits.map((hit) => hit.id)).toEqual([id]);
    expect(said).toBe('');
  });

  it('marks items with --allow-marks', async () => {
    const args = [CLI, 'mcp', '--data', scene.data, '--allow-marks'];
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    const { found } = await use<{ items: { id: string }[] }>(client, 'whats_new_since', { since: '2020-01-01' });
    const id = found.quoted.items.at(-1)?.id ?? '';
    await use(client, 'mark_items', { ids: [id], mark: 'star' });
    expect((await scene.run('list', 'items', '--starred', '--json')).out).toContain(`"id":"${id}"`);
  });

  it('answers what is malformed with errors, lives on, writes only the protocol, changes no file, and ends with its stdin', async () => {
    const before = contentsOf(scene.data);
    const { child, ended } = startCli(['mcp', '--data', scene.data]);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (line: string): Promise<Message> => {
      child.stdin.write(`${line}\n`);
      return JSON.parse((await lines.next()).value as string) as Message;
    };
    const call = (id: number, method: string, params: object): Promise<Message> =>
      ask(JSON.stringify({ jsonrpc: '2.0', id, method, params }));

    expect(await ask('not json at all')).toMatchObject({ id: null, error: { code: -32_700 } });
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    expect(await call(1, 'initialize', hello)).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    expect(await ask('[1,2]')).toMatchObject({ id: null, error: { code: -32_700 } });
    expect(await ask(`{"x":"${'x'.repeat(2 * MAX_MESSAGE_BYTES)}"}`)).toMatchObject({ error: { code: -32_600 } });
    // An object that is no message has no answer; the next one has.
    child.stdin.write('{"hello":"world"}\n');
    expect(await call(2, 'no/such/method', {})).toMatchObject({ id: 2, error: { code: -32_601 } });
    expect(await call(3, 'tools/call', { name: 7 })).toMatchObject({ id: 3, error: {} });
    expect(await call(4, 'tools/call', { name: 'search', arguments: { query: 7 } })).toMatchObject({
      id: 4,
      result: { isError: true, content: [{ text: expect.stringContaining('invalid_argument: ') as string }] },
    });
    expect((await call(5, 'tools/list', {})).result?.tools).toHaveLength(10);

    child.stdin.end();
    const { code, out, err } = await ended;
    expect(code).toBe(0);
    for (const message of jsonLines<Message>(out)) expect(message).toMatchObject({ jsonrpc: '2.0' });
    for (const line of err.trim().split('\n')) expect(line).toMatch(/^broadsheet: warn: /);
    expect(contentsOf(scene.data)).toEqual(before);
  });

  it('ends at a signal', async () => {
    const { child, ended } = startCli(['mcp', '--data', scene.data]);
    child.stdin.write('{\n');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  });
});

/** The hash of each file. */
function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ name }) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}
