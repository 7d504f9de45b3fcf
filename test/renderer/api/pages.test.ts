import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import type { EventName } from '../../../src-main/contract/events.ts';
import type { Args } from '../../../src-main/contract/methods.ts';
import type { SourceLine } from '../../../src-main/contract/model/source.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { LiveAnswers } from '../../../src-renderer/api/live.ts';
import { rowsOf } from '../../../src-renderer/api/pages.ts';
import { effect } from '../support/effects.svelte.ts';

type Asked = Args<'sources.list'>;

/** Names of sources in parts of ten, shown from a row to another one. */
function shown(names: () => string[], text: () => string) {
  const asked: Asked[] = [];
  const listeners = new Map<EventName, () => void>();
  const wire = {
    call: (_: string, args: Asked) => {
      asked.push(args);
      const found = names().filter((name) => name.includes(args.text ?? ''));
      const sources = found.slice(args.offset, args.offset + args.limit).map((name) => ({ name }) as SourceLine);
      return Promise.resolve({ ok: true, value: { sources, count: found.length } });
    },
    on: (event: EventName, listener: () => void) => listeners.set(event, listener),
  } as unknown as Wire;
  const live = new LiveAnswers(wire);
  const rows = rowsOf(
    10,
    (offset) => live.get('sources.list', { sort: 'name', offset, limit: 10, text: text() }),
    ({ sources, count }) => ({ rows: sources, count }),
  );
  return {
    asked,
    rows,
    replaced: () => listeners.get('data.replaced')?.(),
    /** Draws rows, and returns the names that are there in the end. */
    async draw(first: number, last: number): Promise<[number | null, (string | undefined)[]]> {
      let drawn: [number | null, (string | undefined)[]] = [null, []];
      const end = effect(() => {
        const indexes = Array.from({ length: last + 1 - first }, (_, n) => first + n);
        drawn = [rows.count, indexes.map((index) => rows.at(index)?.name)];
      });
      for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
      flushSync();
      await Promise.resolve();
      end();
      return drawn;
    },
  };
}

it('rows are read in parts, when one of them is drawn', async () => {
  const names = Array.from({ length: 95 }, (_, n) => `source ${String(n)}`);
  const list = shown(
    () => names,
    () => '',
  );
  expect(await list.draw(48, 51)).toEqual([95, ['source 48', 'source 49', 'source 50', 'source 51']]);
  expect(list.asked.map(({ offset }) => offset)).toEqual([0, 40, 50]);
  expect(await list.draw(94, 95)).toEqual([95, ['source 94', undefined]]);
  // Parts that are drawn no longer are not read again.
  list.asked.length = 0;
  list.replaced();
  await list.draw(94, 94);
  expect(list.asked.map(({ offset }) => offset)).toEqual([0, 90]);
});

it('the first rows stay until those of other arguments are there', async () => {
  let text = '';
  const list = shown(
    () => ['north', 'south', 'southwest'],
    () => text,
  );
  await list.draw(0, 0);
  text = 'south';
  expect([list.rows.count, list.rows.at(0)?.name]).toEqual([3, 'north']);
  expect(await list.draw(0, 1)).toEqual([2, ['south', 'southwest']]);
});
