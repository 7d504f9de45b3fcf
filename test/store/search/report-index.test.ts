import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src-main/contract/model/report.ts';
import { citation, daily } from '../../support/reports.ts';
import { write, type StoreScene } from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';

function save({ store, clock }: StoreScene, report: Report): void {
  clock.advance(1_000);
  write(store, ({ reports }) => void reports.store(report, clock.now()));
}

function found({ queries, clock }: StoreScene, text: string): string[] {
  const { groups } = queries.search.find({ text, in: ['reports'], limit: 9, now: clock.now(), owner: '' });
  return groups.flatMap(({ hits }) => hits.map(({ id }) => id));
}

const ONE = daily({ 一: [citation('a', { title: '推理模型' })] }, { label: '2026-03-17' });

/** Rows of the index. */
function indexed({ store }: StoreScene): number {
  const count = databaseOf(store).prepare('SELECT count(*) FROM search.report_text_docsize').pluck().get();
  return Number(count);
}

describe('the index of reports', () => {
  it('has the texts, so that a search reads only the reports that it shows', () => {
    const scene = openStoreScene();
    save(scene, ONE);
    save(scene, daily({ 一: ['b'] }, { label: '2026-03-18' }));
    scene.index();
    expect(indexed(scene)).toBe(2);
    // Would be read by a search that looks through the texts.
    databaseOf(scene.store).exec(`UPDATE document SET body = '*' || substr(body, 2) WHERE id = '2026-03-18'`);
    expect(found(scene, '推理')).toEqual(['daily/2026-03-17']);
    expect(found(scene, 'source:"A source" 推理 ')).toEqual(['daily/2026-03-17']);
  });

  it('leaves out a report that cannot be read, and comes to an end', () => {
    const scene = openStoreScene();
    save(scene, ONE);
    save(scene, daily({ 一: ['b'] }, { label: '2026-03-18' }));
    databaseOf(scene.store).exec(`UPDATE document SET body = '*' WHERE id = '2026-03-18'`);
    scene.index();
    expect(indexed(scene)).toBe(1);
    expect(found(scene, '推理')).toEqual(['daily/2026-03-17']);
  });
});
