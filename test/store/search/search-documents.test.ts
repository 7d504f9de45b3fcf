import { describe, expect, it } from 'vitest';
import type { SearchHit, SearchKind } from '../../../src-main/contract/model/search.ts';
import { citation, daily } from '../../support/reports.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { write } from '../../support/store.ts';
import { model, openModelStore, OWNER, type ModelStore } from '../models/model-records.ts';

function scene(): ModelStore & { find(text: string, kind: SearchKind, limit?: number): SearchHit[] } {
  const opened = openModelStore();
  const find = (text: string, kind: SearchKind, limit = 9): SearchHit[] => {
    const { groups } = opened.queries.search.find({ text, in: [kind], limit, now: opened.clock.now(), owner: OWNER });
    expect(groups).toHaveLength(1);
    return groups[0]?.hits ?? [];
  };
  return { ...opened, find };
}

const ids = (hits: SearchHit[]): string[] => hits.map(({ id }) => id);

function saveDaily({ store, clock }: ModelStore, label: string, rest: Parameters<typeof daily>[1] = {}): void {
  const sections = { 模型: [citation('first', { title: '推理模型的价格', source: { name: 'Eval Weekly' } })] };
  const body = daily(sections, { label, ...rest });
  write(store, ({ reports }) => {
    reports.list([{ ...body, extra: {} }]);
    reports.store(body, clock.now());
  });
}

describe('a search of stories', () => {
  it('finds title, digest, latest development and merged ids, a whole title first, then the newest', () => {
    const { store, find } = scene();
    const named = (id: string, title: string, latestAt: string, rest = {}) =>
      saveStory(store, storyOf(id, [report('r', null)], { title, latestAt, ...rest }));
    named('one', '开源模型', '2026-03-10T00:00:00Z');
    named('two', '开源模型的许可', '2026-03-17T00:00:00Z');
    named('three', 'Licences', '2026-03-18T00:00:00Z', {
      digest: '社区讨论开源模型的许可。',
      latest: 'A vote',
      sourceCount: 2,
    });
    named('four', 'Chips', '2026-03-18T00:00:00Z');
    expect(ids(find('开源模型', 'stories'))).toEqual(['one', 'two', 'three']);
    expect(ids(find('源', 'stories'))).toEqual(['two', 'one', 'three']);
    expect(find('许可 讨论', 'stories')).toMatchObject([
      {
        kind: 'stories',
        id: 'three',
        title: 'Licences',
        titleRanges: [],
        sourceCount: 2,
        snippet: {
          field: 'digest',
          ranges: [
            [2, 4],
            [9, 11],
          ],
        },
        at: '2026-03-18T00:00:00.000Z',
      },
    ]);
    expect(ids(find('vote', 'stories'))).toEqual(['three']);
    store.transaction(({ stories }) => stories.merge('older', 'four'));
    expect(ids(find('older', 'stories'))).toEqual(['four']);
  });

  it('quotes a digest without the marks of Markdown', () => {
    const { store, find } = scene();
    const digest = '## Prices\n\n- **与先前报道的出入**：[开源许可](https://a.example/b) `v2`';
    saveStory(store, storyOf('one', [], { title: 'Chips', digest }));
    const [hit] = find('出入', 'stories');
    expect(hit?.snippet?.text).toBe('Prices\n\n与先前报道的出入：开源许可 v2');
  });

  it('knows their star; what only items have, no story has', () => {
    const { store, find } = scene();
    for (const id of ['one', 'two']) saveStory(store, storyOf(id, []));
    store.transaction(({ storyStatuses, now }) => void storyStatuses.star('two', true, now));
    expect(ids(find('story is:starred', 'stories'))).toEqual(['two']);
    expect(ids(find('story -category:paper -is:starred', 'stories'))).toEqual(['one']);
    expect(ids(find('score:>1 OR is:withdrawn', 'stories'))).toEqual([]);
  });
});

describe('a search of reports', () => {
  it('finds headlines, overviews and citations of all three kinds, newest first', () => {
    const opened = scene();
    const { find } = opened;
    saveDaily(opened, '2026-03-17', { headline: '推理' });
    saveDaily(opened, '2026-03-18', { overview: '今天的推理新闻' });
    saveDaily(opened, '2026-W11', { kind: 'weekly', headline: 'A week of reasoning' });
    saveDaily(opened, '2026-02', { kind: 'monthly', headline: null });
    expect(ids(find('推理', 'reports'))).toEqual([
      'daily/2026-03-17',
      'daily/2026-03-18',
      'weekly/2026-W11',
      'monthly/2026-02',
    ]);
    expect(find('价格 eval', 'reports')).toEqual([]);
    expect(find('价格', 'reports', 1)).toMatchObject([
      {
        id: 'daily/2026-03-18',
        title: 'A headline',
        snippet: { field: 'citation', text: '推理模型的价格', ranges: [[5, 7]] },
        unread: true,
        report: { kind: 'daily', label: '2026-03-18' },
      },
    ]);
    expect(ids(find('reasoning', 'reports'))).toEqual(['weekly/2026-W11']);
    expect(ids(find('2026-02', 'reports'))).toEqual(['monthly/2026-02']);
    // A month and a week have all of their days; a day of the label, whatever the zone.
    expect(ids(find('after:2026-02-28 before:2026-03-17', 'reports'))).toEqual(['weekly/2026-W11', 'monthly/2026-02']);
    expect(ids(find('after:2026-03-18', 'reports'))).toEqual(['daily/2026-03-18']);
    write(opened.store, ({ records, now }) => void records.turn('report', 'daily/2026-03-17', now));
    expect(ids(find('推理 is:read', 'reports'))).toEqual(['daily/2026-03-17']);
    expect(ids(find('source:Eval -is:read 2026-03', 'reports'))).toEqual(['daily/2026-03-18']);
  });
});

describe('a search of models', () => {
  it('finds id, name, provider, aliases and description: a whole name or id first, names before descriptions', () => {
    const { replace, store, find } = scene();
    replace([
      model('openai/gpt-5', { name: 'OpenAI: GPT-5', created: 1_754_500_000 }),
      model('openai/gpt-5-mini', { name: 'OpenAI: GPT-5 Mini', created: 1_764_500_000 }),
      model('other/tuned', {
        name: 'Tuned',
        description: 'Trained on answers of GPT-5, 擅长推理。',
        created: 1_773_000_000,
      }),
      model('qwen/qwen-3', { name: 'Tongyi Lab: Qwen 3', description: 'For long texts.', created: 1_753_000_000 }),
    ]);
    write(store, ({ modelStatuses }) => {
      modelStatuses.setAliases('qwen/qwen-3', ['通义千问']);
    });
    expect(ids(find('gpt-5', 'models'))).toEqual([
      'models/openai/gpt-5',
      'models/openai/gpt-5-mini',
      'models/other/tuned',
    ]);
    expect(ids(find('openai/gpt-5-mini', 'models'))).toEqual(['models/openai/gpt-5-mini']);
    expect(ids(find('千', 'models'))).toEqual(['models/qwen/qwen-3']);
    expect(find('推理', 'models')).toMatchObject([
      {
        id: 'models/other/tuned',
        title: 'Tuned',
        snippet: { field: 'description' },
        source: 'other',
        model: { modelList: 'models', id: 'other/tuned' },
      },
    ]);
    // The vendor has the name that the model's has, and the row shows how the text begins.
    expect(find('tongyi', 'models')).toMatchObject([
      { source: 'Tongyi Lab', snippet: null, summary: 'For long texts.' },
    ]);
    expect(ids(find('after:2026-03-01', 'models'))).toEqual(['models/other/tuned']);
    expect(ids(find('gpt is:unread', 'models'))).toEqual([]);
  });
});
