import { describe, expect, it } from 'vitest';
import type { Report, StoredReport } from '../../../src-main/contract/model/report.ts';
import { citation, daily } from '../../support/reports.ts';
import { item } from '../../support/items.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { SELECTED, write, mark, storeListed, type StoreScene } from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';
import { answeredAt, type Before, type Store } from '../../../src-main/store/index.ts';

const LABEL = '2026-03-18';
const LIFETIME = 300_000;

function storeReport({ store, clock }: StoreScene, report: Report): void {
  write(store, (tx) => {
    tx.reports.store(report, clock.now());
    tx.fetches.put(`${report.kind}/${report.label}`, answeredAt(clock.now(), LIFETIME));
  });
}
const markCitation = (store: Store, address: string, read: boolean): Before =>
  store.transaction(({ statuses, now }) => statuses.markAddress(address, read, now));
const shown = ({ queries }: StoreScene, label = LABEL): StoredReport => queries.reports.get('daily', label);
const everythingIn = ({ store }: StoreScene): string =>
  JSON.stringify([
    databaseOf(store).prepare('SELECT head, body FROM document').all(),
    databaseOf(store).prepare('SELECT * FROM correction').all(),
  ]);

describe('a saved report', () => {
  it('is returned as received', () => {
    const opened = openStoreScene();
    const report = daily(
      { A: ['a'], Empty: [] },
      { extra: { mood: 'calm' }, flashes: [citation('f', { summary: '' })] },
    );
    storeReport(opened, report);
    const { sections, flashes, listed, corrections, previous, next, goneAt, readAt, ...saved } = shown(opened);
    const { fetchedAt, checkedAt, freshUntil, ...rest } = saved;
    expect(rest).toEqual({ ...report, sections: undefined, flashes: undefined });
    expect(listed).toEqual({ headline: report.headline, overview: report.overview, attribution: null });
    expect(sections).toMatchObject(report.sections);
    expect(flashes).toMatchObject(report.flashes);
    expect({ corrections, previous, next, goneAt, readAt }).toEqual({
      corrections: [],
      previous: null,
      next: null,
      goneAt: null,
      readAt: null,
    });
    expect([fetchedAt, checkedAt]).toEqual(['2026-03-18T06:30:00.000Z', '2026-03-18T06:30:00.000Z']);
    expect(freshUntil).toBe('2026-03-18T06:35:00.000Z');
  });

  it('has the neighbours in the index, downloaded or not, except those gone before their download', () => {
    const opened = openStoreScene();
    const { store, clock } = opened;
    for (const label of ['2026-03-16', '2026-03-18', '2026-03-20']) storeReport(opened, daily({}, { label }));
    write(store, ({ documents, reports }) => {
      const line = { ...daily({}), extra: {} };
      reports.list([
        { ...line, label: '2026-03-19' },
        { ...line, label: '2026-03-17' },
      ]);
      documents.setGone('daily', '2026-03-17', clock.now());
    });
    expect(shown(opened)).toMatchObject({ previous: '2026-03-16', next: '2026-03-19' });
    expect(() => shown(opened, '2026-03-19')).toThrow(expect.objectContaining({ code: 'not_found', retryable: true }));
    expect(() => shown(opened, '2026-03-17')).toThrow('no longer has this report');
    expect(() => shown(opened, '2026-01-01')).toThrow('not listed');
  });

  it('stays, marked, if the service no longer has it, and is unmarked when it returns', () => {
    const opened = openStoreScene();
    storeReport(opened, daily({ A: ['a'] }));
    write(opened.store, ({ documents }) => documents.setGone('daily', LABEL, opened.clock.now()));
    expect(shown(opened)).toMatchObject({ goneAt: '2026-03-18T06:30:00.000Z', sections: [{ label: 'A' }] });
    storeReport(opened, daily({ A: ['a'] }));
    expect(shown(opened).goneAt).toBeNull();
  });

  it('was last checked when the service last answered, changed or not', () => {
    const folder = temporaryFolder();
    const opened = openStoreScene({ folder });
    const { store, clock } = opened;
    storeReport(opened, daily({}));
    const fetchedAt = '2026-03-18T06:30:00.000Z';
    expect(shown(opened)).toMatchObject({ checkedAt: fetchedAt, freshUntil: '2026-03-18T06:35:00.000Z' });
    clock.advance(86_400_000);
    write(store, ({ fetches }) => fetches.confirm(`daily/${LABEL}`, answeredAt(clock.now(), LIFETIME)));
    const checked = { fetchedAt, checkedAt: '2026-03-19T06:30:00.000Z', freshUntil: '2026-03-19T06:35:00.000Z' };
    expect(shown(opened)).toMatchObject(checked);
    clock.advance(86_400_000);
    write(store, ({ fetches }) => fetches.put(`daily/${LABEL}`, { requestedAt: clock.now(), failures: 1 }));
    expect(shown(opened)).toMatchObject(checked);
    store.close();
    expect(shown(openStoreScene({ folder, clock }))).toMatchObject(checked);
  });

  it('has corrections with the texts before and after, newest first', () => {
    const opened = openStoreScene();
    storeReport(opened, daily({ A: ['a', 'b'] }));
    opened.clock.advance(60_000);
    storeReport(opened, daily({ A: ['a', 'b'] }, { headline: 'Second' }));
    opened.clock.advance(60_000);
    storeReport(opened, daily({ A: ['b', 'a'] }, { headline: 'Second' }));
    expect(shown(opened).corrections).toEqual([
      { at: '2026-03-18T06:32:00.000Z', kind: 'reordered', section: 'A', text: null },
      {
        at: '2026-03-18T06:31:00.000Z',
        kind: 'edited',
        section: null,
        text: { field: 'headline', before: 'A headline', after: 'Second' },
      },
    ]);
    expect(opened.queries.reports.index('daily')).toMatchObject([{ label: LABEL, headline: 'Second', corrections: 2 }]);
  });

  it('contains no text of a withdrawn citation, not even in earlier corrections', () => {
    const opened = openStoreScene();
    const secret = citation('secret', { title: 'The first secret title' });
    storeReport(opened, daily({ A: [secret, 'b'] }));
    storeReport(
      opened,
      daily({ A: [{ ...secret, title: 'The second secret title' }, 'b'] }, { headline: 'The second secret title' }),
    );
    expect(everythingIn(opened)).toContain('first secret');
    storeReport(opened, daily({ A: ['b'] }, { headline: 'Calm' }));
    expect(everythingIn(opened)).not.toContain('secret');
    expect(shown(opened).corrections.map(({ kind, text }) => [kind, text])).toEqual([
      ['withdrawn', null],
      ['edited', null],
      ['edited', null],
      ['edited', null],
    ]);
  });

  it('has what its index entry says where it has nothing itself', () => {
    const opened = openStoreScene();
    const { store, queries } = opened;
    const credit = { name: 'The index', url: 'https://index.example/' };
    const line = { ...daily({}), headline: 'Of the index', overview: 'Its paragraph', attribution: credit, extra: {} };
    store.transaction(({ reports }) => reports.list([line]));
    const leadless = daily({ A: ['a'] }, { headline: null, overview: null });
    storeReport(opened, leadless);
    expect(shown(opened)).toMatchObject({
      headline: null,
      overview: null,
      listed: { headline: 'Of the index', overview: 'Its paragraph', attribution: credit },
    });
    expect(queries.reports.index('daily')).toMatchObject([{ headline: 'Of the index', overview: 'Its paragraph' }]);
    // Neither the next index nor the next report finds a change.
    expect(store.transaction(({ reports }) => reports.list([line]))).toEqual([]);
    storeReport(opened, leadless);
    expect(store.transaction(({ reports }) => reports.list([line]))).toEqual([]);
  });

  it('takes from the index no text of a withdrawn citation, and none that it had itself', () => {
    const opened = openStoreScene();
    const secret = citation('secret', { title: 'The secret title' });
    const line = { ...daily({}), headline: 'The secret title again', overview: null, extra: {} };
    opened.store.transaction(({ reports }) => reports.list([line]));
    storeReport(opened, daily({ A: [secret, 'b'] }, { headline: null, overview: null }));
    storeReport(opened, daily({ A: ['b'] }, { headline: null, overview: null }));
    expect(everythingIn(opened)).not.toContain('secret');
    storeReport(opened, daily({ A: ['b'] }, { headline: 'Once said', overview: null }));
    storeReport(opened, daily({ A: ['b'] }, { headline: null, overview: null }));
    expect(opened.queries.reports.index('daily')).toMatchObject([{ headline: null }]);
  });
});

describe('an item that a report cites', () => {
  const original = 'https://www.example.org/a/?utm_source=report';
  const key = 'https://www.example.org/a';
  const cited = daily({ A: [citation('a', { links: { aihot: null, original } }), 'other'] });
  const linked = item({ id: 'one', links: { original: 'http://www.example.org/a#top', aihot: null } });
  const [READ, AT] = [true, '2026-03-18T06:30:00.000Z'];

  function both(): StoreScene {
    const opened = openStoreScene();
    storeListed(opened.store, [linked, item({ id: 'two' })]);
    storeReport(opened, cited);
    return opened;
  }
  const citationOf = (opened: StoreScene) => shown(opened).sections[0]!.items[0]!;

  it('is found by its canonical address', () => {
    expect(citationOf(both())).toMatchObject({ itemId: 'one', readAt: null, key });
    expect(shown(both()).sections[0]!.items[1]).toMatchObject({ itemId: null });
  });

  it('is read in the feed after its citation was read, and unread likewise', () => {
    const opened = both();
    expect(markCitation(opened.store, key, READ).pairs).toEqual([['one', null]]);
    expect(opened.queries.items.get('one').state.readAt).toBe(AT);
    expect(opened.queries.items.counts().all).toEqual({ total: 2, unread: 1 });
    markCitation(opened.store, key, false);
    expect(opened.queries.items.get('one').state.readAt).toBeNull();
    expect(opened.queries.items.counts().all).toEqual({ total: 2, unread: 2 });
    markCitation(opened.store, key, READ);
    mark(opened.store, ['one'], 'unread');
    expect(citationOf(opened).readAt).toBeNull();
  });

  it('is read in the feed even if it arrives there later', () => {
    const opened = openStoreScene();
    storeReport(opened, cited);
    markCitation(opened.store, key, READ);
    expect(citationOf(opened)).toMatchObject({ itemId: null, readAt: AT });
    storeListed(opened.store, [linked, item({ id: 'two' })]);
    expect(opened.queries.items.get('one').state.readAt).toBe(AT);
    expect(opened.queries.items.counts().all).toEqual({ total: 2, unread: 1 });
    expect(citationOf(opened)).toMatchObject({ itemId: 'one', readAt: AT });
  });

  it('is no longer found after a withdrawal or with another original address', () => {
    const opened = both();
    write(opened.store, (tx) => void tx.items.upsert({ ...linked, links: { original: null, aihot: null } }, SELECTED));
    expect(citationOf(opened).itemId).toBeNull();
    write(opened.store, (tx) => void tx.items.upsert(linked, SELECTED));
    expect(citationOf(opened).itemId).toBe('one');
    write(opened.store, (tx) => {
      tx.items.withdraw('one');
    });
    expect(citationOf(opened).itemId).toBeNull();
  });
});

it('the index, and what decides about fetching, are read without the texts of reports', () => {
  const opened = openStoreScene();
  const { store, queries, clock } = opened;
  storeReport(opened, daily({ A: ['a'] }));
  storeReport(opened, daily({ A: ['b'] }));
  write(store, ({ reports }) => {
    reports.list([{ ...daily({}), label: '2026-03-19', extra: {}, generatedAt: '2026-03-19T00:00:00Z' }]);
  });
  const [index, facts] = [queries.reports.index('daily'), queries.reports.allFacts('daily')];
  expect(index).toMatchObject([
    { label: '2026-03-19', stored: false, corrections: 0 },
    { label: LABEL, stored: true, corrections: 2 },
  ]);
  expect(facts).toMatchObject([
    { label: '2026-03-19', stored: false, generatedAt: '2026-03-19T00:00:00Z', requestedAt: null },
    { label: LABEL, stored: true, requestedAt: clock.now() },
  ]);
  expect(queries.reports.newestListed('daily', '2026-03-20')).toBe('2026-03-19');
  expect(queries.reports.newestListed('daily', '2026-03-18')).toBe(LABEL);
  databaseOf(store).exec("UPDATE document SET body = 'unreadable' WHERE body IS NOT NULL");
  expect(queries.reports.index('daily')).toEqual(index);
  expect(queries.reports.allFacts('daily')).toEqual(facts);
});
