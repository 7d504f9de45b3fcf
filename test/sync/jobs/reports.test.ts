import { describe, expect, it } from 'vitest';
import type { EditionKind, StoredEdition } from '../../../src-main/contract/model/report.ts';
import type { ResourceName } from '../../../src-main/contract/model/item.ts';
import { servedReport, TWELVE_DAYS, type ServedReport } from '../../support/reports.ts';
import { openHouse, type House, type HouseOptions } from '../../support/test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EDITIONS: ResourceName[] = ['dailies', 'weeklies', 'monthlies'];
const PATHS = { daily: '/dailies', weekly: '/weeklies', monthly: '/monthlies' } as const;

const openArchive = (options: HouseOptions = {}) => openHouse({ ...TWELVE_DAYS, ...options });

async function sync({ call }: House, urgency: 'due' | 'permitted' | 'now' = 'now', resources = EDITIONS) {
  return (await call('sync.run', { urgency, resources })).resources;
}

const labels = async ({ call }: House, kind: EditionKind) =>
  (await call('editions.index', { kind })).lines.map(({ label }) => label);

/** Paths and queries that were asked for since `from`. */
const asked = ({ service }: House, from = 0) =>
  service.requests.slice(from).map(({ path, query }) => path.replace('/api/v1', '') + query);

/** What is stored, without what the reader and Broadsheet added, under the service's names. */
async function asServed({ call }: House, kind: EditionKind, label: string): Promise<unknown> {
  const json = await call('editions.render', { kind, label, format: 'json' });
  return (JSON.parse(json.text) as { report: unknown }).report;
}

describe('daily, weekly and monthly reports', { timeout: 60_000 }, () => {
  it('come all at once where everything is asked for, each equal field by field', async () => {
    const house = await openArchive();
    const report = await sync(house);
    expect(report).toMatchObject({
      dailies: { status: 'ok', added: 12, requests: 13 },
      weeklies: { status: 'ok', added: 3, requests: 4 },
      monthlies: { status: 'ok', added: 2, requests: 3 },
    });
    expect(await labels(house, 'weekly')).toEqual(['2026-W10', '2026-W09', '2026-W08']);
    expect(await labels(house, 'monthly')).toEqual(['2026-03', '2026-02']);
    for (const kind of ['daily', 'weekly', 'monthly'] as const) {
      for (const label of await labels(house, kind)) {
        expect(await asServed(house, kind, label)).toEqual(await servedReport(house, `${PATHS[kind]}/${label}`));
      }
    }
  });

  it('are asked for by no label that an index did not give, and the index first', async () => {
    const house = await openArchive();
    await sync(house);
    const dailies = asked(house).filter((path) => path.startsWith('/dailies'));
    expect(dailies[0]).toBe('/dailies?limit=180');
    expect(dailies.slice(1)).toEqual((await labels(house, 'daily')).map((label) => `/dailies/${label}`));
    const wrong = await house.reply('editions.open', { kind: 'daily', label: '2026-03-06' });
    expect(wrong).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(asked(house).some((path) => path.includes('2026-03-06'))).toBe(false);
  });

  it('are confirmed with their validators from then on', async () => {
    const house = await openArchive();
    await sync(house);
    const from = house.service.requests.length;
    expect(await sync(house)).toMatchObject({ dailies: { status: 'notModified', requests: 13, added: 0 } });
    expect(new Set(house.service.requests.slice(from).map(({ status }) => status))).toEqual(new Set([304]));
  });

  it('fill in by rounds, newest first, so many a round, without looking at the index each time', async () => {
    const house = await openHouse({ content: { selected: 120, days: 40 } });
    for (const [round, stored] of [12, 24, 36].entries()) {
      const { dailies } = await sync(house, 'due', ['dailies']);
      expect(dailies).toMatchObject({ status: 'ok', added: 12, requests: round === 0 ? 13 : 12 });
      const { lines } = await house.call('editions.index', { kind: 'daily' });
      expect(lines.map((line) => line.stored)).toEqual(lines.map((_, place) => place < stored));
      house.clock.advance(MINUTE);
    }
  });

  it('go on after a restart where they stopped', async () => {
    const house = await openHouse({ content: { selected: 120, days: 40 }, folder: 'temporary' });
    await sync(house, 'due', ['dailies']);
    await house.reopen();
    house.clock.advance(MINUTE);
    const from = house.service.requests.length;
    await sync(house, 'due', ['dailies']);
    const [first] = asked(house, from);
    expect(first).toBe(`/dailies/${(await labels(house, 'daily'))[12] ?? ''}`);
  });

  it('make way while a reader waits, and go on later', async () => {
    let wanted: string | null = null;
    let open: Promise<StoredEdition> | undefined;
    const house = await openHouse({
      content: { selected: 120, days: 40 },
      intercept: (request) => {
        if (wanted !== null && request.url?.includes('/dailies/')) {
          open ??= house.call('editions.open', { kind: 'daily', label: wanted });
        }
        return false;
      },
    });
    await sync(house, 'due', ['dailies']);
    wanted = (await labels(house, 'daily')).at(-1) ?? '';
    house.clock.advance(MINUTE);
    expect(await sync(house, 'due', ['dailies'])).toMatchObject({ dailies: { status: 'ok', added: 1 } });
    expect((await open)?.label).toBe(wanted);
    house.clock.advance(MINUTE);
    expect(await sync(house, 'due', ['dailies'])).toMatchObject({ dailies: { added: 12 } });
  });

  it('are looked at with a short index, and with the whole one where that does not reach back', async () => {
    const house = await openHouse({ content: 'living' });
    await sync(house, 'now', ['dailies']);
    const day = async (days: number) => {
      house.clock.advance(days * 24 * HOUR);
      const from = house.service.requests.length;
      await sync(house, 'due', ['dailies']);
      return asked(house, from).filter((path) => path.includes('?'));
    };
    expect(await day(1)).toEqual(['/dailies?limit=7']);
    expect(await day(5)).toEqual(['/dailies?limit=7']);
    expect(await day(9)).toEqual(['/dailies?limit=180']);
  });

  it('are fetched from `latest` where the index does not list the newest yet', async () => {
    let behind: string | null = null;
    const house = await openHouse({
      content: 'living',
      start: '2026-03-17T23:50:00Z',
      intercept: (request, response) => {
        if (behind === null || !request.url?.includes('/dailies?')) return false;
        response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 's-maxage=60' }).end(behind);
        return true;
      },
    });
    await sync(house, 'now', ['dailies']);
    behind = await (await fetch(`${house.service.newsAddress}/api/v1/dailies?limit=7`)).text();
    expect((await labels(house, 'daily'))[0]).toBe('2026-03-17');
    house.clock.advance(12 * MINUTE);
    expect(await sync(house, 'due', ['dailies'])).toMatchObject({ dailies: { status: 'ok', added: 1 } });
    expect((await labels(house, 'daily'))[0]).toBe('2026-03-18');
    expect(await asServed(house, 'daily', '2026-03-18')).toEqual(await servedReport(house, '/dailies/2026-03-18'));
    expect(asked(house)).not.toContain('/dailies/2026-03-18?');
  });

  it('stay, marked, when the service has them no longer', async () => {
    let gone = false;
    const house = await openArchive({
      intercept: (request, response) => {
        if (!gone || !request.url?.includes('/dailies/2026-03-01')) return false;
        response
          .writeHead(404, { 'content-type': 'application/problem+json' })
          .end('{"status":404,"code":"not_found"}');
        return true;
      },
    });
    await sync(house);
    gone = true;
    house.clock.advance(HOUR);
    expect(await sync(house)).toMatchObject({ dailies: { status: 'ok' } });
    const stored = await house.call('editions.get', { kind: 'daily', label: '2026-03-01' });
    expect(stored.goneAt).toBe('2026-04-03T07:30:00.000Z');
    expect(stored.sections.length).toBeGreaterThan(0);
    gone = false;
    await sync(house);
    expect((await house.call('editions.get', { kind: 'daily', label: '2026-03-01' })).goneAt).toBeNull();
  });

  it('are not held up by one that cannot be read', async () => {
    const house = await openArchive({
      intercept: (request, response) => {
        if (!request.url?.includes('/dailies/2026-03-01')) return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"report":{}}');
        return true;
      },
    });
    expect(await sync(house, 'now', ['dailies'])).toMatchObject({ dailies: { status: 'ok', added: 11, skipped: 1 } });
    const from = house.service.requests.length;
    house.clock.advance(HOUR);
    await sync(house, 'permitted', ['dailies']);
    expect(asked(house, from)).not.toContain('/dailies/2026-03-01');
  });

  it('keep what came before a failure, and go on from there', async () => {
    let failing = true;
    const house = await openArchive({
      intercept: (request, response) => {
        if (!failing || !request.url?.includes('/dailies/2026-03-01')) return false;
        response.writeHead(503, { 'retry-after': '120' }).end();
        return true;
      },
    });
    expect(await sync(house, 'now', ['dailies'])).toMatchObject({ dailies: { status: 'failed', added: 4 } });
    failing = false;
    expect(await sync(house, 'now', ['dailies'])).toMatchObject({ dailies: { status: 'notDue' } });
    house.clock.advance(2 * MINUTE);
    expect(await sync(house, 'now', ['dailies'])).toMatchObject({ dailies: { status: 'ok', added: 8 } });
  });
});

describe('an edition that is opened', { timeout: 60_000 }, () => {
  it('is fetched where it was not, and asked for again only once its lifetime has run out', async () => {
    const house = await openHouse({ content: { selected: 120, days: 40 } });
    await sync(house, 'due', ['dailies']);
    const label = (await labels(house, 'daily')).at(-1) ?? '';
    const open = () => house.call('editions.open', { kind: 'daily', label });
    const from = house.service.requests.length;
    expect(await open()).toMatchObject({ kind: 'daily', label, next: expect.any(String) as string });
    await open();
    expect(asked(house, from)).toEqual([`/dailies/${label}`]);
    house.clock.advance(301_000);
    await Promise.all([open(), open()]);
    expect(house.service.requests.slice(from).map(({ status }) => status)).toEqual([200, 304]);
    expect(house.heard('editions.changed').at(-1)).toEqual({ kind: 'daily', labels: [label] });
  });

  it('is shown as it was stored when the service cannot be reached', async () => {
    const house = await openArchive();
    await sync(house);
    await house.service.close();
    house.clock.advance(HOUR);
    for (const [kind, label] of [
      ['daily', '2026-03-05'],
      ['weekly', '2026-W09'],
      ['monthly', '2026-02'],
    ] as const) {
      expect(await house.call('editions.open', { kind, label })).toMatchObject({ kind, label });
    }
  });

  it('is not asked for while the service wants patience', async () => {
    let busy = false;
    const house = await openArchive({
      intercept: (request, response) => {
        if (!busy || !request.url?.includes('/dailies')) return false;
        response.writeHead(429, { 'retry-after': '600' }).end();
        return true;
      },
    });
    await sync(house, 'now', ['dailies']);
    busy = true;
    house.clock.advance(HOUR);
    await house.call('editions.open', { kind: 'daily', label: '2026-03-05' });
    const from = house.service.requests.length;
    await house.call('editions.open', { kind: 'daily', label: '2026-03-04' });
    expect(await sync(house, 'now', ['dailies'])).toMatchObject({ dailies: { status: 'notDue' } });
    expect(house.service.requests.length).toBe(from);
  });
});

describe('a correction', { timeout: 60_000 }, () => {
  const LABEL = '2026-03-05';
  const stored = ({ call }: House) => call('editions.get', { kind: 'daily', label: LABEL });

  async function corrected(
    change: (report: ServedReport) => Partial<ServedReport>,
  ): Promise<{ house: House; before: ServedReport }> {
    const house = await openArchive();
    await sync(house, 'now', ['dailies']);
    const before = await servedReport(house, `/dailies/${LABEL}`);
    house.service.control.correctDaily(LABEL, change(structuredClone(before)) as never);
    house.clock.advance(6 * HOUR);
    await house.call('editions.open', { kind: 'daily', label: LABEL });
    return { house, before };
  }

  it('of a text is kept as it was before and after', async () => {
    const { house, before } = await corrected((report) => {
      report.sections[0]!.items[0]!.title = 'A corrected title';
      return { sections: report.sections };
    });
    const { label, items } = before.sections[0]!;
    expect((await stored(house)).corrections).toEqual([
      {
        at: '2026-04-03T12:30:00.000Z',
        kind: 'edited',
        section: label,
        text: { field: 'title', before: items[0]!.title, after: 'A corrected title' },
      },
    ]);
  });

  it('that withdraws takes the citation from store, view and export, and keeps the fact alone', async () => {
    let title = '';
    const { house, before } = await corrected((report) => {
      const section = report.sections.find(({ items }) => items.length > 0)!;
      const gone = section.items.shift()!;
      title = gone.title;
      return { sections: report.sections, lead: { title: 'Another lead', leadParagraph: 'Without it.' } };
    });
    const edition = await stored(house);
    expect(edition.corrections.map(({ kind }) => kind)).toContain('withdrawn');
    expect(before.lead?.leadParagraph).toBeTruthy();
    for (const format of ['md', 'html', 'json'] as const) {
      expect((await house.call('editions.render', { kind: 'daily', label: LABEL, format })).text).not.toContain(title);
    }
    expect(JSON.stringify([edition, await house.call('editions.index', { kind: 'daily' })])).not.toContain(title);
  });

  it('that adds, or orders anew, is told as such', async () => {
    const { house } = await corrected((report) => {
      const [first] = report.sections;
      first!.items.reverse();
      first!.items.push({
        title: 'New',
        summary: '',
        source: { name: 's' },
        links: { original: 'https://n.example/1', aihot: null },
      });
      return { sections: report.sections };
    });
    const kinds = (await stored(house)).corrections.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['added', 'reordered']);
  });

  it('is found by the background round, too, and told', async () => {
    const house = await openHouse({ content: 'living' });
    await sync(house, 'now', ['dailies']);
    const [label = ''] = await labels(house, 'daily');
    house.service.control.correctDaily(label, { lead: { title: 'Corrected', leadParagraph: 'p' } });
    house.clock.advance(9 * HOUR);
    expect(await sync(house, 'due', ['dailies'])).toMatchObject({ dailies: { revised: 1 } });
    expect(house.heard('editions.changed')).toContainEqual({ kind: 'daily', labels: [label] });
  });
});

describe('what is read', { timeout: 60_000 }, () => {
  it('in a report is read in the feed, and the other way round', async () => {
    const house = await openHouse({ content: { selected: 60, days: 6 } });
    await house.call('sync.run', { urgency: 'now', resources: ['selected', 'dailies'] });
    const [label = ''] = await labels(house, 'daily');
    const edition = () => house.call('editions.get', { kind: 'daily', label });
    const [first, second] = (await edition()).sections.flatMap(({ items }) => items);
    expect([first?.itemId, second?.itemId]).toEqual([expect.any(String), expect.any(String)]);
    await house.call('editions.markCitation', { key: first!.key!, read: true });
    expect((await house.call('items.get', { id: first!.itemId! })).state.readAt).not.toBeNull();
    expect(house.heard('marks.changed').at(-1)).toEqual({ ids: [first!.itemId] });
    await house.call('items.mark', { ids: [second!.itemId!], mark: 'read' });
    const after = (await edition()).sections.flatMap(({ items }) => items);
    expect([after[0]!.readAt, after[1]!.readAt, after[2]!.readAt]).toEqual([
      expect.any(String),
      expect.any(String),
      null,
    ]);
    await house.call('items.mark', { ids: [first!.itemId!], mark: 'unread' });
    expect((await edition()).sections.flatMap(({ items }) => items)[0]!.readAt).toBeNull();
  });

  it('of a whole report is told, and a key that is none is refused', async () => {
    const house = await openArchive();
    await sync(house, 'now', ['monthlies']);
    await house.call('editions.mark', { kind: 'monthly', label: '2026-02', read: true });
    expect(await house.call('editions.index', { kind: 'monthly' })).toMatchObject({
      lines: [{ readAt: null }, { readAt: '2026-04-03T06:30:00.000Z' }],
    });
    expect(house.heard('editions.changed').at(-1)).toEqual({ kind: 'monthly', labels: ['2026-02'] });
    expect(await house.reply('editions.markCitation', { key: 'HTTP://a.example/', read: true })).toMatchObject({
      ok: false,
      error: { code: 'invalid_argument' },
    });
  });
});
