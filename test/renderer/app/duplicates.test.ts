import { beforeEach, describe, expect, it } from 'vitest';
import type { Args, MethodName, Reply, Result } from '../../../src-main/contract/methods.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { keyed } from '../../../src-renderer/ui/keyed.ts';
import { ControlledWire } from '../support/controlled-wire.ts';
import { NEWS, NOW, openCore } from '../support/core.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';
import { waitFor } from '../support/wait.ts';

const SINCE = new Date(NOW - 3_600_000).toISOString();

/** Methods that answer with what services sent. */
const OF_SERVICES = /^(?:items|hotTopics|stories|reports|today|models|sources|visits|search|notes)\./;

/** Lists that the core makes itself. */
const OWN = new Set(['alsoNew']);

/** Gives every record, id and word of every list twice. */
function twice(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((each) => (typeof each === 'number' ? [each] : [twice(each), twice(each)]));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, OWN.has(name) ? member : twice(member)]),
  );
}

class TwiceWire extends ControlledWire {
  override async call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    const reply = await super.call(method, args);
    return reply.ok && OF_SERVICES.test(method) ? { ok: true, value: twice(reply.value) as Result<M> } : reply;
  }
}

let app: AppState;
/** One of each that the service has. */
let ids: Record<'topic' | 'story' | 'daily' | 'model', string>;

beforeEach(async () => {
  const core = await openCore(NEWS);
  const [model] = core.service.models('models');
  core.service.editModel('models', model!.id, { context_length: 1 });
  await core.sync(['models']);
  const [row, other] = await core.stored();
  const counts = { added: 2, older: 0, revised: 1 };
  core.answer('visits.sinceLast', () => ({ since: SINCE, newestKey: null, ...counts, withdrawn: 1, selected: counts }));
  core.answer('visits.list', ({ which }) => ({
    rows: which === 'added' ? [row!, other!] : [],
    withdrawals: which === 'withdrawn' ? [{ id: 'the-gone-one', at: SINCE }] : [],
  }));
  const [topic] = (await core.ask('hotTopics.list', {})).topics;
  const [story] = (await core.ask('stories.list', { which: 'all' })).stories;
  const [daily] = (await core.ask('reports.index', { kind: 'daily' })).lines;
  ids = { topic: topic!.id, story: story!.publicId, daily: daily!.label, model: model!.id };
  ({ app } = await openPage(new TwiceWire(core)));
});

describe('a record, id or word that a list has twice', () => {
  const places: [what: string, show: () => unknown, selector: string][] = [
    ['the feed', () => undefined, '#item-list [role=option]'],
    ['an item', () => app.items.open(app.feed.list.at(0)!), '#article-title'],
    ['Today', () => app.navigation.showView('today'), '#today-hot'],
    [
      'what was withdrawn',
      () => app.history.go({ view: 'visit', which: 'withdrawn', scope: 'all', open: [] }),
      '.facts li',
    ],
    ['hot topics', () => app.navigation.showView('hotTopics'), '#hotTopics-list [role=option]'],
    ['a topic', () => app.navigation.openTopic(ids.topic), '#topic-title'],
    ['stories', () => app.navigation.showView('stories'), '#stories-list [role=option]'],
    ['a story', () => app.navigation.openStory(ids.story), '#stories-reading li'],
    ['the archive', () => app.navigation.showView('archive'), '#archive-list li'],
    [
      'a report',
      () => app.navigation.goTo({ view: 'report', kind: 'daily', label: ids.daily }),
      '#archive-reading .citation',
    ],
    ['the model table', () => app.navigation.showView('models'), '#models-list [role=row]'],
    ['the changes of models', () => panel('changes'), '#models-list article'],
    ['the chart of models', () => panel('chart'), '#models-list svg'],
    ['a model', () => openModel(), '#model-title'],
    ['sources', () => app.navigation.showView('sources'), '#sources-list'],
    ['statistics', () => app.views.sources.show('statistics'), '#sources-list'],
  ];

  it('leaves every view readable', async () => {
    for (const [what, show, selector] of places) {
      await show();
      await waitFor(() => expect(document.querySelector(`.view:not(.away) ${selector}`), what).not.toBeNull());
      await settle();
      const defects = [...document.querySelectorAll('.defect code')].map((code) => code.textContent);
      expect([what, defects]).toEqual([what, []]);
    }
  });

  it('has a key for each', () => {
    const keys = keyed(['a', 'a', '1 a', 'b', 'a'], (text) => text).map(({ key }) => key);
    expect(new Set(keys).size).toBe(5);
  });
});

function panel(name: 'table' | 'chart' | 'changes'): void {
  app.navigation.showView('models');
  app.views.models.panel = name;
}

function openModel(): void {
  panel('table');
  app.views.models.openModel(ids.model);
}
