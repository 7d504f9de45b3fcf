import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { model, openModelStore, OWNER, priced } from './model-records.ts';
import { favouriteModel, write } from '../../support/store.ts';
import { databaseOf } from '../internals.ts';

const DAY_MS = 24 * 3_600_000;
/** The default fields of the records here. */
const FIGURES = { contextLength: 128_000, pricing: model('a/any')['pricing'] };

describe('a change that was saved with a repeated word', () => {
  it('is read without the repetition, in the log and in the line of the model', () => {
    const { replace, changes, queries } = openModelStore();
    replace([model('a/b')]);
    replace([model('a/b', { supported_parameters: ['tools', 'seed', 'tools'] })]);
    expect(changes()).toMatchObject([{ field: 'parameters', after: ['tools', 'seed'] }]);
    expect(queries.models.list(OWNER, 'models').lines[0]?.supportedParameters).toEqual(['tools', 'seed']);
  });
});

describe('a model list', () => {
  it('is returned completely, in the gateway’s order, every record as received', () => {
    const { replace, queries, clock } = openModelStore();
    const records = ['z/three', 'a/one', 'm/two'].map((id) => model(id, { unheard_of: { deep: [1, null, id] } }));
    expect(replace(records)).toEqual({ added: 3, revised: 0, withdrawn: 0 });
    const { lines, fetchedAt } = queries.models.list(OWNER, 'models');
    const now = new Date(clock.now()).toISOString();
    expect(fetchedAt).toBe(now);
    expect(lines.map(({ id }) => id)).toEqual(['z/three', 'a/one', 'm/two']);
    expect(lines[0]).toMatchObject({ modelList: 'models', vendor: 'z', firstSeenAt: now, favouriteAt: null });
    expect(records.map(({ id }) => queries.models.get(OWNER, 'models', id).record)).toEqual(records);
  });

  it('is not parsed again for a favourite, but is after a change', () => {
    const { replace, queries, store } = openModelStore();
    const logged = () =>
      queries.models.list(OWNER, 'models').lines.map(({ id, name, favouriteAt }) => [id, name, favouriteAt !== null]);
    replace([model('a/one'), model('a/two', { name: 'Two' })]);
    expect(logged()).toEqual([
      ['a/one', 'Model a/one', false],
      ['a/two', 'Two', false],
    ]);
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    for (const favourite of [true, false]) {
      favouriteModel(store, 'a/two', favourite);
      expect(logged()[1]).toEqual(['a/two', 'Two', favourite]);
    }
    expect(parse).not.toHaveBeenCalled();
    replace([model('a/two', { name: 'Deux' })]);
    expect(logged()).toEqual([['a/two', 'Deux', false]]);
    replace([model('a/one'), model('a/two', { name: 'Two' })]);
    expect(logged()).toHaveLength(2);
  });

  it('has no expiry beyond ten years, in the list and on the page of the model', () => {
    const { replace, queries } = openModelStore();
    replace([model('a/one', { expiration_date: '2098-12-31' }), model('a/two', { expiration_date: '2027-01-31' })]);
    expect(queries.models.list(OWNER, 'models').lines.map(({ expirationDate }) => expirationDate)).toEqual([
      null,
      '2027-01-31',
    ]);
    const one = queries.models.get(OWNER, 'models', 'a/one');
    expect([one.expirationDate, one.record['expiration_date']]).toEqual([null, '2098-12-31']);
  });

  // Holds: models-3-none
  it('replaces the previous one and counts the differences', () => {
    const { replace, idsOf } = openModelStore();
    replace([model('a/one'), model('a/two'), model('a/three')]);
    const next = [model('a/new'), model('a/three'), model('a/one', { description: 'Not in the log, yet revised' })];
    expect(replace(next)).toEqual({ added: 1, revised: 1, withdrawn: 1 });
    expect(idsOf()).toEqual(['a/new', 'a/three', 'a/one']);
  });

  // Holds: models-0-regional
  it('is separate for each gateway and each of its two lists', () => {
    const { replace, queries, idsOf } = openModelStore();
    replace([model('a/one')]);
    replace([model('a/vectors')], { modelList: 'embeddings' });
    replace([model('b/one')], { owner: 'demo' });
    expect([idsOf('models'), idsOf('embeddings')]).toEqual([['a/one'], ['a/vectors']]);
    expect(queries.models.list('demo', 'models').lines.map(({ id }) => id)).toEqual(['b/one']);
    expect(queries.models.refreshes('demo', 10)).toEqual([]);
  });

  it('keeps an id with a lone surrogate, and finds no change in it the next time', () => {
    const { replace, queries, refreshes } = openModelStore();
    replace([model('a/\ud800'), model('a/one')]);
    expect(replace([model('a/\ud800'), model('a/two')])).toEqual({ added: 1, revised: 0, withdrawn: 1 });
    expect(refreshes()[0]?.changes).toHaveLength(2);
    expect(queries.models.get(OWNER, 'models', 'a/\ud800').record.id).toBe('a/\ud800');
  });
});

describe('the order', () => {
  it('is not in the change log', () => {
    const { replace, refreshes } = openModelStore();
    replace([model('a'), model('b')]);
    expect(replace([model('b'), model('a')])).toEqual({ added: 0, revised: 0, withdrawn: 0 });
    expect(refreshes()).toEqual([]);
  });
});

describe('a model list identical to the saved one', () => {
  it('writes nothing', () => {
    const folder = temporaryFolder();
    const { replace } = openModelStore({ folder });
    const same = { keyEnding: 'wxyz' };
    replace([model('a/one')], same);
    const written = () => statSync(join(folder, 'user.db-wal')).size;
    const before = written();
    expect(replace([model('a/one')], same)).toEqual({ added: 0, revised: 0, withdrawn: 0 });
    expect(written()).toBe(before);
  });

  it('saves the key of the newer response', () => {
    const { replace, refreshes } = openModelStore();
    replace([model('a/one')]);
    replace([model('a/one')], { keyEnding: 'wxyz' });
    replace([model('a/two')], { keyEnding: 'wxyz' });
    expect(refreshes()).toMatchObject([{ otherKey: false }]);
  });
});

describe('the name under which an ETag is sent', () => {
  it('is of one gateway, list, key and content, and of a held list while there is one', () => {
    const { replace, store } = openModelStore();
    const name = (keyEnding: string | null = 'wxyz', modelList: ModelListName = 'models', owner = OWNER) =>
      store.queries.models.nameOfFetched({ owner, modelList, keyEnding });
    expect(name()).toBeNull();
    replace([model('a/one')], { keyEnding: 'wxyz' });
    replace([model('a/one')], { keyEnding: 'wxyz', owner: 'demo' });
    const first = name();
    expect(new Set([first, name('abcd'), name(null), name('wxyz', 'models', 'demo'), null]).size).toBe(5);
    expect(name('wxyz', 'embeddings')).toBeNull();
    replace([model('a/two')], { keyEnding: 'wxyz' });
    const second = name();
    expect(second).not.toBe(first);
    write(store, ({ modelLists }) => {
      modelLists.hold({ owner: OWNER, modelList: 'models', records: [], keyEnding: 'wxyz' });
    });
    expect([first, second]).not.toContain(name());
    replace([model('a/two')], { keyEnding: 'wxyz' });
    expect(name()).toBe(second);
  });
});

describe('the change log', () => {
  it('has added, removed and repriced models as one refresh, once', () => {
    const { replace, refreshes, clock } = openModelStore();
    replace([priced('a/one', { prompt: '0.10' }), model('a/old'), model('a/same')]);
    const next = [model('a/new'), priced('a/one', { prompt: '0.2' }), model('a/same', { description: 'Other words' })];
    replace(next);
    const logged = [
      {
        id: expect.any(Number) as number,
        modelList: 'models',
        at: new Date(clock.now()).toISOString(),
        otherKey: false,
        changes: [
          { model: 'a/new', name: 'Model a/new', field: 'added', figures: FIGURES },
          { model: 'a/one', name: 'Model a/one', field: 'price', price: 'prompt', before: '0.10', after: '0.2' },
          { model: 'a/old', name: 'Model a/old', field: 'removed', figures: FIGURES },
        ],
      },
    ];
    expect(refreshes()).toEqual(logged);
    replace(next);
    replace(next.map((record) => ({ ...record, description: 'Words that nobody watches' })));
    expect(refreshes()).toEqual(logged);
  });

  it('lists the changes of one model, of that model list and gateway only', () => {
    const { replace, refreshes, queries, changes } = openModelStore();
    replace([model('a/one'), model('a/two')]);
    replace([model('a/one', { context_length: 64_000 }), model('a/two', { context_length: 64_000 })]);
    replace([model('a/one'), model('a/two', { context_length: null })]);
    replace([model('a/two', { context_length: null })]);
    const listed = { modelList: 'models', id: 'a/two' } as const;
    const logged = queries.models.refreshes(OWNER, 1000, listed);
    const [, second, first] = refreshes();
    expect(logged.map(({ id }) => id)).toEqual([second?.id, first?.id]);
    expect(logged[0]?.changes).toEqual([
      { model: 'a/two', name: 'Model a/two', field: 'context', before: 64_000, after: null },
    ]);
    expect(queries.models.refreshes(OWNER, 1, listed)).toEqual(logged.slice(0, 1));
    expect(queries.models.refreshes(OWNER, 1, { ...listed, id: 'a/one' })[0]?.changes).toEqual(changes());
    expect(queries.models.refreshes(OWNER, 10, { ...listed, modelList: 'embeddings' })).toEqual([]);
    expect(queries.models.refreshes('https://other.example', 10, listed)).toEqual([]);
  });

  it('shows whether the key was another one than before', () => {
    const { replace, refreshes } = openModelStore();
    replace([model('a/one')], { keyEnding: null });
    replace([model('a/two')], { keyEnding: 'wxyz' });
    replace([model('a/three')], { keyEnding: 'wxyz' });
    replace([model('a/four')], { keyEnding: 'abcd' });
    expect(refreshes().map(({ otherKey }) => otherKey)).toEqual([true, false, true]);
  });

  it('deletes entries after two years, at the next refresh of the same model list', () => {
    const { replace, refreshes, clock, store } = openModelStore();
    replace([model('a/one')]);
    replace([model('a/two')]);
    replace([], { modelList: 'embeddings' });
    replace([model('a/vectors')], { modelList: 'embeddings' });
    clock.advance(729 * DAY_MS);
    replace([model('a/three')]);
    expect(refreshes()).toHaveLength(3);
    clock.advance(DAY_MS);
    expect(refreshes()).toHaveLength(3);
    replace([model('a/four')]);
    expect(refreshes().map(({ changes }) => changes[0]?.model)).toEqual(['a/four', 'a/three', 'a/vectors']);
    const left = databaseOf(store).prepare('SELECT count(*) FROM user.change').pluck().get();
    expect(left).toBe(2 + 2 + 1);
    expect(databaseOf(store).prepare('SELECT id FROM user.model_gone').pluck().all()).not.toContain('a/one');
  });
});
