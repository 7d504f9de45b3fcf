import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logToAll, openLogFile, redactLog, redaction, REDACTED } from '../../../src-main/core/log.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';

const KEY = 'sk-live-"0\\123456789';

function room(mostBytes?: number) {
  const folder = temporaryFolder();
  const open = () => openLogFile({ folder, clock: fakeClock(), ...(mostBytes ? { mostBytes } : {}) });
  const read = (name = 'broadsheet.log') => readFileSync(join(folder, 'logs', name), 'utf8');
  return { folder, open, read };
}

describe('the log file', () => {
  it('writes lines of its levels at once', () => {
    const { open, read } = room();
    const log = open();
    log('debug', 'not worth it');
    log('info', 'slow call', { method: 'items.page', ms: 300 });
    log('error', 'Unexpected error', { trace: 'Error: no\n    at a.ts:1' });
    expect(read().split('\n')).toEqual([
      '2026-03-18T06:30:00.000Z info slow call method="items.page" ms=300',
      '2026-03-18T06:30:00.000Z error Unexpected error trace="Error: no\\n    at a.ts:1"',
      '',
    ]);
  });

  it('escapes line breaks and terminal sequences', () => {
    const { open, read } = room();
    open()('warn', 'a\n2026 error forged\u001b[2J\u009b1m', { title: '\u2028\u202e\r\n\u0007' });
    expect(read().split('\n')).toHaveLength(2);
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    expect(read().trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028]/);
  });

  it('keeps three files, the newest of them open', () => {
    const { folder, open, read } = room(200);
    const log = open();
    for (let line = 0; line < 20; line += 1) log('info', `line ${line} ${'.'.repeat(30)}`);
    expect(readdirSync(join(folder, 'logs')).sort()).toEqual([
      'broadsheet.1.log',
      'broadsheet.2.log',
      'broadsheet.log',
    ]);
    const all = ['broadsheet.2.log', 'broadsheet.1.log', 'broadsheet.log'].map((name) => read(name)).join('');
    expect(all.match(/line \d+/g)?.at(-1)).toBe('line 19');
    for (const name of readdirSync(join(folder, 'logs'))) {
      expect(statSync(join(folder, 'logs', name)).size).toBeLessThanOrEqual(200);
    }
  });

  it('fills each file before it starts the next one', () => {
    const { folder, open, read } = room(2000);
    const log = open();
    const lines = 200;
    for (let line = 0; line < lines; line += 1) log('info', `line ${String(line).padStart(3, '0')}`);
    const files = ['broadsheet.2.log', 'broadsheet.1.log', 'broadsheet.log'].map((name) => read(name));
    const perFile = Math.floor(2000 / (files[0]!.indexOf('\n') + 1));
    // The last file has the rest, after more than two rotations.
    const rotations = Math.floor((lines - 1) / perFile);
    expect(rotations).toBeGreaterThan(2);
    expect(files.map((text) => text.match(/line/g)?.length)).toEqual([perFile, perFile, lines - rotations * perFile]);
    expect(files.join('').match(/line \d+/g)?.[0]).toBe(`line ${String((rotations - 2) * perFile).padStart(3, '0')}`);
    expect(readdirSync(join(folder, 'logs'))).toHaveLength(3);
  });

  it('goes on in the same file if the older files cannot be renamed', () => {
    const { folder, open, read } = room(500);
    mkdirSync(join(folder, 'logs', 'broadsheet.2.log', 'of somebody else'), { recursive: true });
    const log = open();
    for (let line = 0; line < 60; line += 1) log('info', `line ${line}`);
    expect(read()).toContain('line 59\n');
    expect(read().length).toBeLessThanOrEqual(500);
    expect(readdirSync(join(folder, 'logs', 'broadsheet.2.log'))).toEqual(['of somebody else']);
  });

  it('appends to the file of the last run, or starts a new one if that was full', () => {
    const { open, read } = room(160);
    open()('info', 'first');
    open()('info', 'second');
    expect(read().match(/first|second/g)).toEqual(['first', 'second']);
    open()('info', 'x'.repeat(120));
    open()('info', 'after');
    expect(read()).toContain('after');
    expect(read('broadsheet.1.log')).toContain('xxx');
  });

  it('never throws: without a folder the line is lost, and the next one tried', () => {
    const { folder, open, read } = room();
    writeFileSync(join(folder, 'logs'), 'a file in the way');
    const log = open();
    log('error', 'lost');
    rmSync(join(folder, 'logs'));
    log('error', 'written');
    expect(read()).toMatch(/error written\n$/);
  });

  it.skipIf(process.platform === 'win32')('is readable by its owner only', () => {
    const { folder, open } = room();
    open()('info', 'a');
    expect(statSync(join(folder, 'logs', 'broadsheet.log')).mode & 0o077).toBe(0);
  });

  it('truncates very long lines', () => {
    const { open, read } = room();
    open()('error', 'x', { trace: 'y'.repeat(100_000) });
    expect(read().length).toBeLessThan(20_000);
  });
});

describe('secrets', () => {
  const redact = redaction(() => [KEY, 'ab']);

  it.each([
    ['the saved key', `refused: ${KEY}`, `refused: ${REDACTED}`],
    ['the key in an address', `?k=${encodeURIComponent(KEY)}&a`, `?k=${REDACTED}&a`],
    ['the key in JSON', JSON.stringify({ value: KEY }), `{"value":"${REDACTED}"}`],
    ['a header', 'Authorization: Bearer abc.def-ghi', `Authorization: ${REDACTED}`],
    ['a header as JSON', '{"authorization":"Bearer abc"}', `{"authorization":"${REDACTED}"}`],
    ['a scheme alone', 'sent Bearer abc.def', `sent Bearer ${REDACTED}`],
    ['a cookie', 'Set-Cookie: sid=1', `Set-Cookie: ${REDACTED}`],
    ['a proxy with a password', 'via http://me:pass@proxy:80/', `via http://${REDACTED}@proxy:80/`],
    ['a parameter', 'GET /a?api_key=123&b=1', `GET /a?api_key=${REDACTED}&b=1`],
    ['a password', "password='hunter22'", `password='${REDACTED}'`],
  ])('%s is removed', (_what, text, clean) => {
    expect(redact(text)).toBe(clean);
    expect(redact(clean)).toBe(clean);
  });

  it('are not redacted in plain text, and short values do not remove letters', () => {
    const text = 'The bearer of news said: about 3 tokens a word, at example.com/a@b';
    expect(redact(text)).toBe(text);
  });

  it('are in no part of a line', () => {
    const { open, read } = room();
    const lines: unknown[] = [];
    const log = redactLog(
      logToAll(open(), (...line) => lines.push(line)),
      redact,
    );
    log('error', `could not send ${KEY}`, {
      trace: `Error: ${KEY}\n at Bearer zzz.yyy`,
      url: 'https://u:p@example.com/',
      ms: 3,
      none: null,
    });
    log('warn', KEY);
    for (const text of [read(), JSON.stringify(lines)]) {
      expect(text).not.toContain('123456789');
      expect(text).not.toContain('zzz.yyy');
      expect(text).not.toContain('u:p@');
      expect(text).toContain(REDACTED);
    }
    expect(read()).toContain('ms=3 none=null');
  });
});
