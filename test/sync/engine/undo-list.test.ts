import { describe, expect, it } from 'vitest';
import type { Before } from '../../../src-main/store/index.ts';
import { UndoList } from '../../../src-main/sync/engine/status-methods.ts';

const ACTION: Before = { kind: 'read', service: 'demo', pairs: [['a', null]] };
const marked = (list: UndoList): string => list.keep(ACTION).undo!;

describe('the undo list', () => {
  const nothing = (): void => undefined;
  const NOT_FOUND = { code: 'not_found' };

  it('takes a long action back in steps, and keeps the rest if one fails', async () => {
    const list = new UndoList();
    const pairs = Array.from({ length: 25 }, (_, n): [string, null] => [String(n), null]);
    const name = list.keep({ ...ACTION, pairs }).undo!;
    const steps: string[][] = [];
    let turns = 0;
    const step = ({ pairs: part }: Before): void => {
      if (steps.length === 2) throw new Error('the disk is full');
      setImmediate(() => (turns += 1));
      steps.push(part.map(([id]) => id));
    };
    const going = list.use(name, 10, step);
    await expect(list.use(name, 10, nothing)).rejects.toMatchObject(NOT_FOUND);
    await expect(going).rejects.toThrow('the disk is full');
    expect(steps.map(({ length }) => length)).toEqual([10, 10]);
    expect(turns).toBeGreaterThanOrEqual(1);
    const rest: string[] = [];
    await list.use(name, 10, ({ pairs: part }) => rest.push(...part.map(([id]) => id)));
    expect([...steps.flat(), ...rest]).toEqual(pairs.map(([id]) => id));
  });

  it('keeps the latest two hundred', async () => {
    const list = new UndoList();
    const names = Array.from({ length: 201 }, () => marked(list));
    await expect(list.use(names[0]!, 10, nothing)).rejects.toMatchObject(NOT_FOUND);
    for (const name of names.slice(1)) await list.use(name, 10, nothing);
  });
});
