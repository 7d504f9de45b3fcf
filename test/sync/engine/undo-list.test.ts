import { describe, expect, it } from 'vitest';
import { UndoList } from '../../../src-main/sync/engine/methods/undo-list.ts';

const ACTION = { field: 'read_at', before: [{ id: 'a', value: null }] } as const;
const marked = (list: UndoList): string => list.keep({ field: 'read_at', before: [...ACTION.before] }).undo!;

describe('the undo list', () => {
  it('returns an action once', () => {
    const list = new UndoList();
    const name = marked(list);
    expect(list.use(name, ({ before }) => before.length)).toBe(1);
    expect(() => list.use(name, () => 1)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('keeps an action whose undo failed, so that it can be tried again', () => {
    const list = new UndoList();
    const name = marked(list);
    const fails = (): never => {
      throw new Error('the disk is full');
    };
    expect(() => list.use(name, fails)).toThrow('the disk is full');
    expect(list.use(name, ({ before }) => before)).toEqual(ACTION.before);
  });

  it('keeps the latest twenty', () => {
    const list = new UndoList();
    const names = Array.from({ length: 21 }, () => marked(list));
    expect(() => list.use(names[0]!, () => 1)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(names.slice(1).map((name) => list.use(name, () => 1))).toHaveLength(20);
  });

  it('does not contain actions that changed nothing', () => {
    expect(new UndoList().keep({ field: 'read_at', before: [] })).toEqual({ changed: 0, undo: null });
  });
});
