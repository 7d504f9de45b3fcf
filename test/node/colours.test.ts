import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_KEY } from '../../src-main/contract/model/model.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { bold, dim, hasColours, line, lines, red } from '../../src-main/node/terminal-text.ts';
import { jsonLines, runCli } from './child.ts';
import { runHere } from './shells.ts';

const ESC = '\u001b';
/** Codes that Broadsheet itself prints: bold, dim, red and yellow, on and off. */
const OURS = new RegExp(`${ESC}\\[(?:1|2|22|31|33|39)m`, 'g');
/** Clears the screen, colours what follows, names the window. */
const EVIL = `${ESC}[2J${ESC}[31m${ESC}]0;owned\u0007\u009b2J`;
const TEXTS = new Set([
  'title',
  'originalTitle',
  'summary',
  'name',
  'headline',
  'overview',
  'reason',
  'digest',
  'latest',
]);
const TEXTS_OF_MODELS = new Set(['description', 'tokenizer', 'label', 'text', 'message', 'status', 'category']);

describe('colours', () => {
  const terminal = { isTTY: true };
  it.each<[name: string, stream: object, environment: Record<string, string>, shown: boolean]>([
    ['are shown on a terminal', terminal, { TERM: 'xterm-256color' }, true],
    ['are not shown in a pipe or a file', {}, { TERM: 'xterm-256color' }, false],
    ['are not shown with NO_COLOR', terminal, { TERM: 'xterm-256color', NO_COLOR: '1' }, false],
    ['are shown with an empty NO_COLOR, which is none', terminal, { TERM: 'xterm-256color', NO_COLOR: '' }, true],
    ['are not shown on a terminal that has none', terminal, { TERM: 'dumb' }, false],
    ['are shown in a pipe with FORCE_COLOR', {}, { TERM: 'dumb', FORCE_COLOR: '1' }, true],
    ['are not shown with FORCE_COLOR=0', terminal, { TERM: 'xterm-256color', FORCE_COLOR: '0' }, false],
  ])('%s', (_name, stream, environment, shown) => {
    expect(hasColours(stream, environment)).toBe(shown);
  });
});

describe('a styled line', () => {
  it('is the same text with and without colours', () => {
    const shown = lines([line`${dim('10:00')} ${bold('A title')} [id]`, 'second']);
    expect(shown.toString()).toBe('10:00 A title [id]\nsecond');
    expect(shown.withColours()).toBe(`${ESC}[2m10:00${ESC}[22m ${ESC}[1mA title${ESC}[22m [id]\nsecond`);
  });

  it('shows control characters of its texts, styled or not, as replacement characters', () => {
    expect(line`${red(`a${ESC}[0mb`)} ${`c\n${ESC}d`}`.toString()).toBe('a\uFFFD[0mb c \uFFFDd');
  });
});

describe('escape sequences in texts of the services', () => {
  let data: string;
  let close: () => Promise<void>;
  let commands: string[][];
  let environment: Record<string, string>;

  beforeAll(async () => {
    const service = await startDemoService({ clock: systemClock, content: { selected: 10, unselected: 2, days: 8 } });
    const spoiler = await startSpoiler(new URL(service.newsAddress).origin);
    data = await mkdtemp(path.join(tmpdir(), 'broadsheet-colours-'));
    close = async () => {
      spoiler.server.close();
      await service.close();
      await rm(data, { recursive: true });
    };
    const through = (address: string): string => address.replace(new URL(address).origin, spoiler.origin);
    environment = {
      BROADSHEET_DATA: data,
      BROADSHEET_NEWS_URL: through(service.newsAddress),
      BROADSHEET_MODELS_URL: through(service.modelsAddress),
      BROADSHEET_MODELS_KEY: DEMO_KEY,
    };
    const firstOf = async (list: string): Promise<string> => {
      const { out } = await runHere(['list', list, '--json', '--limit', '1'], environment);
      const [first] = jsonLines<{ id?: string; publicId?: string }>(out);
      return first?.publicId ?? first?.id ?? '';
    };
    expect(await runHere(['sync', '--all'], environment)).toMatchObject({ code: 0, err: '' });
    const [item, story, model] = [await firstOf('items'), await firstOf('stories'), await firstOf('models')];
    const lists = ['items', 'hot', 'stories', 'dailies', 'models', 'model-changes', 'notices', 'notes'];
    commands = [
      ...lists.map((what) => ['list', what]),
      ['show', 'item', item],
      ['show', 'story', story],
      ['show', 'model', model],
      ['show', 'source', (await firstSource()) ?? ''],
      ['show', 'daily', 'latest'],
      ['show', 'agent'],
      ['note', 'set', 'item', item, 'a note'],
      ['search', 'model'],
      ['sources'],
      ['status', '--check'],
      ['open', 'item', item, '--print'],
      ['mark', 'read', `no${EVIL}`],
      ['show', 'item', `no${EVIL}`],
      [`no${EVIL}`],
      ['list', `no${EVIL}`],
      ['saved', 'add', 'Mine', 'model'],
      ['saved', 'list'],
      ['mute', 'add', 'nothing'],
      ['mute', 'list'],
      ['settings', 'list'],
    ];

    async function firstSource(): Promise<string | undefined> {
      const { out } = await runHere(['sources', '--json', '--limit', '1'], environment);
      return jsonLines<{ name: string }>(out)[0]?.name;
    }
  });
  afterAll(() => close());

  it('reach no terminal', async () => {
    let spoiled = 0;
    for (const args of commands) {
      const { out, err } = await runHere(args, environment, '', true);
      const text = `${out}${err}`.replace(OURS, '');
      expect(text.replaceAll('\n', ''), args.join(' ')).not.toMatch(/\p{Cc}/u);
      if (text.includes('\uFFFD[2J')) spoiled += 1;
    }
    // The texts were there.
    expect(spoiled).toBeGreaterThan(10);
  });

  it('are not in the output of the process, which has colours only where they are asked for', async () => {
    const list = ['list', 'items', '--limit', '2'];
    const [plain, forced] = [await runCli(list, environment), await runCli(list, { ...environment, FORCE_COLOR: '1' })];
    expect(plain.out).not.toContain(ESC);
    expect(forced.out).toContain(`${ESC}[1m`);
    expect(forced.out.replace(OURS, '')).toBe(plain.out);
  });
});

/** Passes everything on to a service, and appends escape sequences to every text in its answers. */
async function startSpoiler(origin: string) {
  const server = createServer((request, response) => {
    void (async () => {
      const { authorization, 'if-none-match': tag } = request.headers;
      const headers = { ...(authorization && { authorization }), ...(tag && { 'if-none-match': tag }) };
      const answer = await fetch(new URL(request.url ?? '/', origin), { headers });
      const text = await answer.text();
      const kept = [...answer.headers].filter(
        ([name]) => !/^(?:content-(?:length|encoding)|connection|keep-alive)$/.test(name),
      );
      response.writeHead(answer.status, Object.fromEntries(kept)).end(spoiled(text));
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

function spoiled(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
      typeof value === 'string' && (TEXTS.has(key) || TEXTS_OF_MODELS.has(key)) ? `${value}${EVIL}` : value,
    );
  } catch {
    return text === '' ? '' : `${text}${EVIL}`;
  }
}
