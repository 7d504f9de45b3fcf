import { describe, expect, it } from 'vitest';
import type { Workload } from '../../../src-main/contract/model/model.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openStore } from '../../support/store.ts';
import { model, openRoom, OWNER } from './model-records.ts';

const CHAT: Workload = { name: 'Chat', tokensIn: 2_000, tokensOut: 500, tokensCached: 1_500, requestsAMonth: 30_000 };

function errorResponse(code: string, ...words: string[]): Error {
  const message = expect.stringMatching(new RegExp(words.join('.*'))) as string;
  return expect.objectContaining({ code, message }) as Error;
}

describe('a favourite', () => {
  it('is one at every gateway and in both model lists, from the time of the clock', () => {
    const { replace, writer, reader, clock } = openRoom();
    replace([model('a/one'), model('a/two')]);
    replace([model('a/one')], { modelList: 'embeddings' });
    replace([model('a/one')], { owner: 'demo' });
    expect(writer.favouriteModel('a/one', true)).toBe(true);
    const at = new Date(clock.now()).toISOString();
    const times = (owner: string, modelList: 'models' | 'embeddings') =>
      reader.models.list(owner, modelList).lines.map(({ favouriteAt }) => favouriteAt);
    expect(times(OWNER, 'models')).toEqual([at, null]);
    expect(times(OWNER, 'embeddings')).toEqual([at]);
    expect(times('demo', 'models')).toEqual([at]);
    expect(reader.models.model(OWNER, 'models', 'a/one').favouriteAt).toBe(at);
  });

  it('keeps its time when it is made one again, and goes when it is taken back', () => {
    const { replace, writer, reader, clock } = openRoom();
    replace([model('a/one')]);
    writer.favouriteModel('a/one', true);
    const time = () => reader.models.model(OWNER, 'models', 'a/one').favouriteAt;
    const before = time();
    clock.advance(1_000);
    expect(writer.favouriteModel('a/one', true)).toBe(false);
    expect(time()).toBe(before);
    expect(writer.favouriteModel('a/one', false)).toBe(true);
    expect(writer.favouriteModel('a/one', false)).toBe(false);
    expect(time()).toBeNull();
  });

  it('outlives its model, the mirror and a start', () => {
    const folder = temporaryFolder();
    const first = openRoom({ folder });
    first.replace([model('a/one')]);
    first.writer.favouriteModel('a/one', true);
    first.replace([]);
    first.writer.close();
    const second = openRoom({ folder });
    second.replace([model('a/one')]);
    expect(second.reader.models.model(OWNER, 'models', 'a/one').favouriteAt).not.toBeNull();
  });
});

describe('aliases', () => {
  it('are kept as they were written, in their order, and replaced as a whole', () => {
    const { replace, writer, reader } = openRoom();
    replace([model('a/one')]);
    const aliases = () => reader.models.model(OWNER, 'models', 'a/one').aliases;
    writer.setAliases('a/one', ['Zeta', ' 大模型 ', 'Alpha 1']);
    expect(aliases()).toEqual(['Zeta', '大模型', 'Alpha 1']);
    writer.setAliases('a/one', ['ALPHA 1']);
    expect(aliases()).toEqual(['ALPHA 1']);
    writer.setAliases('a/one', []);
    expect(reader.aliases()).toEqual([]);
  });

  it('are one where they differ in case, width or spacing alone, and blank ones are none', () => {
    const { writer, reader } = openStore();
    writer.setAliases('a/one', ['Straße', 'STRASSE', 'ＧＰＴ 4', 'gpt  4', '  ']);
    expect(reader.aliases()).toEqual([
      { alias: 'Straße', model: 'a/one' },
      { alias: 'ＧＰＴ 4', model: 'a/one' },
    ]);
  });

  it('of another model are refused by its name, and nothing changes', () => {
    const { writer, reader } = openStore();
    writer.setAliases('a/one', ['Uno']);
    writer.setAliases('a/two', ['Due']);
    const taken = () => {
      writer.setAliases('a/two', ['Zwei', 'UNO']);
    };
    expect(taken).toThrow(errorResponse('invalid_argument', 'a/one', 'UNO'));
    expect(reader.aliases()).toEqual([
      { alias: 'Uno', model: 'a/one' },
      { alias: 'Due', model: 'a/two' },
    ]);
    writer.setAliases('a/one', []);
    expect(taken).not.toThrow();
  });
});

describe('workloads', () => {
  it('are listed as they were made, each with an id', () => {
    const { writer, reader } = openStore();
    writer.saveWorkload(CHAT);
    writer.saveWorkload({ ...CHAT, name: ' Batch ' });
    const saved = [
      { ...CHAT, id: 1 },
      { ...CHAT, id: 2, name: 'Batch' },
    ];
    expect(reader.workloads()).toEqual(saved);
    expect(writer.workloads()).toEqual(saved);
  });

  it('are changed by their id', () => {
    const { writer, reader } = openStore();
    writer.saveWorkload(CHAT);
    const changed = { ...CHAT, id: 1, name: 'CHAT', tokensIn: 0 };
    writer.saveWorkload(changed);
    expect(reader.workloads()).toEqual([changed]);
  });

  it('have names of their own, in any case', () => {
    const { writer, reader } = openStore();
    writer.saveWorkload(CHAT);
    writer.saveWorkload({ ...CHAT, name: 'Batch' });
    const before = reader.workloads();
    for (const workload of [
      { ...CHAT, name: 'cHAT ' },
      { ...CHAT, id: 2 },
    ]) {
      expect(() => {
        writer.saveWorkload(workload);
      }).toThrow(errorResponse('invalid_argument', 'Chat'));
    }
    expect(reader.workloads()).toEqual(before);
  });

  it('that were removed are gone, with their ids', () => {
    const { writer, reader } = openStore();
    writer.saveWorkload(CHAT);
    writer.removeWorkload(1);
    writer.removeWorkload(1);
    expect(reader.workloads()).toEqual([]);
    expect(() => {
      writer.saveWorkload({ ...CHAT, id: 1 });
    }).toThrow(errorResponse('not_found', 'removed'));
    writer.saveWorkload(CHAT);
    expect(reader.workloads()).toEqual([{ ...CHAT, id: 2 }]);
  });
});
