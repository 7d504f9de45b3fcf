import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { exportOf } from '../../support/user-data.ts';
import { NOW, openCore, unreadPicks, type CoreWire } from '../support/core.ts';
import { openDialogs, openPage } from '../support/page.ts';
import { clickOn, keyDown } from '../support/reader.ts';
import { settle } from '../support/settle.ts';
const SCRIPT = '<script>window.broken = true</script><b>bold</b>';

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  const rows = unreadPicks(30);
  rows[0] = { ...rows[0]!, title: SCRIPT, summary: SCRIPT, reason: SCRIPT, source: { name: SCRIPT } };
  rows[1] = { ...rows[1]!, links: { original: 'javascript:alert(1)', aihot: null } };
  wire = await openCore({ items: rows });
});

const open = async (): Promise<void> => {
  ({ app } = await openPage(wire));
};

const press = async (key: string, target: Element | Window = window): Promise<void> => {
  await keyDown(target, { key });
};

const named = (role: string, name: string | RegExp): HTMLElement => screen.getByRole(role, { name });

describe('the search', () => {
  beforeEach(open);

  it('marks its matches, counts them until there are many, and offers a wider search where there are none', async () => {
    app.feed.search('weights');
    await settle();
    const marks = [...document.querySelectorAll('mark')].map((mark) => mark.textContent);
    expect(new Set(marks)).toEqual(new Set(['weights']));
    const { count } = await wire.ask('items.count', { query: app.feed.list.query });
    expect(document.body.textContent).toContain(`${String(count)} matches`);
    wire.answer('items.count', () => ({ count: 1_000, atLeast: true }));
    app.feed.search('model');
    await settle();
    expect(document.body.textContent).toContain('1,000+ matches');
    app.feed.search('zzzz');
    await settle();
    expect(named('heading', 'No matches').textContent).toContain('No matches');
    app.feed.filter({ ...app.feed.list.query, window: '24h' });
    await settle();
    await fireEvent.click(named('button', 'Search all saved items'));
    expect(app.feed.list.query).toMatchObject({ scope: 'all', window: 'any', text: 'zzzz' });
  });
});

describe('the list and its article', () => {
  beforeEach(open);

  // Holds: news-1-link-to-original, news-2-item-link
  it('render visible rows only, numbered for screen readers, and markup as text, and lead to web links only; a withdrawn one says so', async () => {
    const options = within(screen.getByRole('listbox')).getAllByRole('option');
    expect(options.length).toBeLessThan(30);
    expect(options[0]).toHaveProperty('ariaSetSize', '30');
    expect(options.map((option) => option.getAttribute('aria-posinset')).slice(0, 3)).toEqual(['1', '2', '3']);
    expect(options[0]!.textContent).toContain(SCRIPT);
    expect(options[0]!.querySelector('script, b')).toBeNull();
    expect('broken' in window).toBe(false);

    await press('j');
    const article = screen.getByRole('article');
    expect(article.querySelector('script, b')).toBeNull();
    expect(article.textContent.split(SCRIPT).length).toBeGreaterThan(3);

    await press('j');
    expect(screen.queryByRole('button', { name: 'Read original' })).toBeNull();
    expect(screen.queryAllByText('Only web links can be opened.')).toHaveLength(1);
    expect(document.querySelector('a[href^="javascript"]')).toBeNull();

    await press('j');
    await clickOn(named('button', 'Read original'));
    expect(wire.argsOf('links.open').at(-1)).toEqual({ url: wire.rows[2]!.links.original });

    await wire.withdraw('item-2');
    await settle();
    expect(screen.queryAllByText(/Withdrawn by the publisher/)).toHaveLength(1);
  });
});

it('a starred item that was withdrawn keeps a row, opens by a click alone, and differs from one that left the picks', async () => {
  await open();
  await wire.ask('items.mark', { ids: ['item-2', 'item-3'], mark: 'star' });
  wire.service.leaveSet('item-3');
  await wire.withdraw('item-2');
  app.navigation.show({ kind: 'starred' });
  await settle();
  const row = within(screen.getByRole('listbox')).getAllByRole('option')[0]!;
  expect(row.textContent).toContain('Withdrawn item');
  expect(row.textContent).toContain('Its text has been deleted');
  expect(row.textContent).not.toContain('Unknown source');

  await press('j');
  expect(app.reading.item?.id).toBe('item-3');
  const details = screen.getByText('About this item').closest('details')!;
  details.open = true;
  await fireEvent(details, new Event('toggle'));
  expect(within(details).queryAllByText(/Removed from Picks/)).toHaveLength(1);

  await clickOn(row);
  expect(screen.queryAllByText(/It stays here until you remove the star/)).toHaveLength(1);
  expect(screen.queryAllByRole('heading', { name: 'Withdrawn item' })).toHaveLength(1);
  expect(screen.queryByText(/No summary/)).toBeNull();
});

it('a starred item that never was here is no withdrawn one, and leads to its original', async () => {
  await open();
  const time = NOW - 3_600_000;
  const value = { at: time, time, title: 'From another device', link: 'https://elsewhere.example/1' };
  const { service } = await wire.ask('notes.get', { kind: 'item', id: 'elsewhere' });
  await wire.ask('data.import', { text: exportOf([{ kind: 'star', service, id: 'elsewhere', value }]) });
  app.navigation.show({ kind: 'starred' });
  await settle();
  await clickOn(within(screen.getByRole('listbox')).getByRole('option'));
  expect(named('heading', 'From another device').textContent).toContain('From another device');
  expect(screen.queryAllByText(m.article_absent())).toHaveLength(1);
  expect(screen.queryByText(/Withdrawn|No summary/)).toBeNull();
  await fireEvent.click(named('button', 'Read original'));
  expect(wire.argsOf('links.open')).toEqual([{ url: value.link }]);
});

describe('the state of the sync', () => {
  beforeEach(open);

  it('shows the first selected items before their download is complete, and how much of it is done', async () => {
    const [items, selected] = (await wire.ask('sync.status', {})).resources;
    const progress = { stored: 500, expected: 2000, pages: 1 };
    await wire.setStatus({ selectedComplete: false, resources: [items!, { ...selected!, running: true, progress }] });
    await settle();
    expect(screen.getAllByRole('option').length).toBeGreaterThan(0);
    expect(screen.getAllByRole('progressbar', { name: 'Downloading your news' })[0]).toHaveProperty('value', 500);
    wire.answer('items.page', () => ({ rows: [], places: [], next: null, watermark: 0 }));
    await app.feed.reload();
    await settle();
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(screen.getAllByRole('progressbar', { name: 'Downloading your news' })[0]).toHaveProperty('value', 500);
  });

  // Holds: news-7-request-id-support
  it('tells a failure once, above the saved list, and one of this computer with code and request id', async () => {
    const { resources } = await wire.ask('sync.status', {});
    const error = { code: 'unreachable', message: '', retryable: true } as const;
    await wire.setStatus({
      reachable: false,
      lastSuccessAt: new Date(NOW - 3 * 3_600_000).toISOString(),
      resources: resources.map((one) => (one.name === 'selected' ? { ...one, error } : one)),
    });
    await settle();
    expect(screen.getAllByText(/^Can’t sync since/, { ignore: '[aria-live] *' })).toHaveLength(1);
    expect(screen.queryByText(/Showing news saved/, { selector: 'aside *' })).toBeNull();
    expect(screen.queryAllByRole('listbox')).toHaveLength(1);

    wire.failing.set('items.page', { code: 'data_unreadable', message: '', retryable: false, requestId: 'req-7' });
    await app.feed.reload();
    await settle();
    expect(screen.queryAllByText('The saved data can’t be read.')).toHaveLength(1);
    expect(screen.queryAllByText('req-7')).toHaveLength(1);
  });
});

describe('the settings', () => {
  const address = async (): Promise<HTMLInputElement> => {
    app.panel = 'settings';
    await screen.findByRole('tabpanel');
    return within(news()).getByLabelText<HTMLInputElement>('Address');
  };
  const news = (): HTMLElement => screen.getByRole('region', { name: 'News service' });

  async function save(text: string, name = 'Save address'): Promise<HTMLInputElement> {
    const input = await address();
    await fireEvent.input(input, { target: { value: text } });
    await clickOn(within(news()).getByRole('button', { name }));
    return input;
  }

  it('save nothing if the test fails, unless the reader insists, but the demo, which is no address, at once', async () => {
    app = await openDialogs(wire);
    wire.failing.set('source.test', { code: 'timeout', message: '', retryable: true });
    const input = await save('down.example');
    expect(wire.settings.newsAddress).toBeNull();
    expect(within(news()).queryAllByText('The server took too long to respond.')).toHaveLength(1);
    expect(within(news()).queryAllByText('Until it answers, there is no news.')).toHaveLength(1);
    expect(input.value).toBe('down.example');
    await clickOn(within(news()).getByRole('button', { name: 'Save anyway' }));
    expect(wire.settings.newsAddress).toBe('https://down.example');
    expect(within(news()).queryByRole('button', { name: 'Save anyway' })).toBeNull();
    await save('');
    expect(wire.settings.newsAddress).toBeNull();
    expect(wire.argsOf('source.test')).toHaveLength(1);
  });

  it('save no address that was changed or left while it was tested', async () => {
    app = await openDialogs(wire);
    wire.answer('source.test', () => ({ items: 1 }));
    for (const leave of [
      async (input: HTMLInputElement) => fireEvent.input(input, { target: { value: 'other.example' } }),
      async () => fireEvent.click(screen.getByRole('tab', { name: 'Advanced' })),
    ]) {
      const input = await address();
      const answer = wire.hold();
      await fireEvent.input(input, { target: { value: 'news.example' } });
      await fireEvent.click(within(news()).getByRole('button', { name: 'Save address' }));
      await leave(input);
      answer();
      await settle();
      expect(wire.argsOf('settings.set')).toEqual([]);
    }
  });
});
