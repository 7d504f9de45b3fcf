import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Events } from '../../src-main/contract/events.ts';
import { Progress } from '../../src-main/node/progress.ts';
import { Output } from '../../src-main/node/shell.ts';
import { hearShell } from './shells.ts';

/** Makes stderr a terminal of 60 columns, or a pipe. */
function hear({ isTTY = false, isDumb = false, quiet = false }) {
  let text = '';
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    text += chunk.toString();
    done();
  };
  const screen = Object.assign(new Writable({ write }), { isTTY, columns: 60 });
  const err = new Output(screen, { isResult: false, isDumb });
  const progress = new Progress({ ...hearShell().shell, err }, quiet);
  return { progress, err, text: () => text };
}

/** As the last line of a terminal shows it. */
const shown = (text: string): string => text.split('\n').at(-1)?.split('\r\u001b[K').at(-1) ?? '';

const CLEAR = '\r\u001b[K';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the progress of a command', () => {
  it('is one line of a terminal, there at once, with a bar and counts, and gone before the results', async () => {
    const { progress, err, text } = hear({ isTTY: true });
    progress.show('Opening');
    expect(text()).toBe(`${CLEAR}Opening …`);
    progress.show('Exporting items', 25_000, 100_000);
    expect(shown(text())).toBe('Exporting items [#####---------------] 25,000 of 100,000');
    progress.show('Exporting items', 25_001, 100_000);
    expect(shown(text())).toContain('25,000 of');
    progress.show('Exporting items', 100_000, 100_000);
    expect(shown(text())).toBe('Exporting items [####################] 100,000 of 100,000');
    progress.show('x'.repeat(100));
    expect(shown(text())).toBe('x'.repeat(59));
    progress.show('Downloading items', 7, null);
    expect(shown(text())).toBe('Downloading items: 7');
    await err.line('a warning');
    expect(text().endsWith(`${CLEAR}Downloading items: 7${CLEAR}a warning\n`)).toBe(true);
    progress.end();
    expect(text().endsWith('a warning\n')).toBe(true);
  });

  it.each([[{}], [{ isTTY: true, isDumb: true }]])('is a line each ten seconds elsewhere: %j', (screen) => {
    const { progress, text } = hear(screen);
    for (let done = 0; done <= 25; done += 1) {
      progress.show('Exporting items', done, 25);
      vi.advanceTimersByTime(1000);
    }
    progress.end();
    expect(text()).toBe('Exporting items: 10 of 25\nExporting items: 20 of 25\n');
  });

  it('is nothing if only errors are wanted', () => {
    const { progress, text } = hear({ isTTY: true, quiet: true });
    progress.show('Opening');
    progress.end();
    expect([text(), progress.isDrawn]).toEqual(['', false]);
  });

  it('follows a download by its events, and shows what takes the longest', () => {
    const { progress, text } = hear({ isTTY: true });
    let report: (status: Events['sync.changed']) => void = () => undefined;
    progress.follow({ on: (_event, listener) => ((report = listener as never), () => undefined) });
    const resources = (...all: object[]): void => report({ resources: all } as never);
    resources({ name: 'items', running: true, progress: null }, { name: 'dailies', running: true, progress: null });
    expect(shown(text())).toBe('Downloading items, dailies …');
    resources(
      { name: 'items', running: true, progress: { stored: 5, expected: null, pages: 1 } },
      { name: 'selected', running: false, progress: { stored: 5, expected: 10, pages: 1 } },
    );
    expect(shown(text())).toBe('Downloading picks [##########----------] 5 of 10');
    resources({ name: 'items', running: false, progress: null });
    expect(shown(text())).toBe('Updating the indexes …');
  });
});
