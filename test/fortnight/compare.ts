import type { ItemRow, ItemsPage } from '../../src-main/contract/model/item.ts';
import type { StoredReport } from '../../src-main/contract/model/report.ts';
import type { TestApp } from '../support/test-app.ts';
import type { EditionKind } from './editions.ts';
import type { Gateway, GatewayModel } from './gateway.ts';
import { ownTime, WINDOW, type Item } from './news.ts';
import { DAY, HOUR, MINUTE, rfc3339 } from './random.ts';
import type { Service } from './service.ts';

/** The reader's own data, which must survive everything. */
export interface Reader {
  /** The starred items as they were last known. */
  starred: Map<string, { title: string; link: string }>;
  read: Set<string>;
  notes: Map<string, string>;
}

export interface Comparison {
  app: TestApp;
  service: Service;
  gateway: Gateway;
  reader: Reader;
  now: number;
  /** When the round began: what happened since may be known. */
  began: number;
  /** The time between two rounds. */
  rhythm: number;
  /** Later changes of the selected set may be unknown. */
  unsureSince: number;
  /** Allows that members which a snapshot lacked are shown among all items only. */
  mayLeave: boolean;
  /** The items that had a reason after any round. */
  withReason: Set<string>;
  /** Set while the gateway's lists can't be believed. */
  areListsWrong: boolean;
}

export const KINDS = [
  ['dailies', 'daily'],
  ['weeklies', 'weekly'],
  ['monthlies', 'monthly'],
] as const satisfies readonly [EditionKind, string][];

export async function allRows({ call }: TestApp): Promise<ItemRow[]> {
  const rows: ItemRow[] = [];
  let cursor: string | null = null;
  do {
    const query = { scope: 'all', window: 'any', state: 'any' } as const;
    const page: ItemsPage = await call('items.page', { query, limit: 500, ...(cursor !== null && { cursor }) });
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null);
  return rows;
}

/** A line for each difference between the mirror and what a client can know. */
export async function differences(one: Comparison): Promise<string[]> {
  const rows = await allRows(one.app);
  const found = [...compareItems(one, rows), ...(await compareReader(one, rows))];
  found.push(...(await compareReports(one)), ...(await compareStories(one)), ...(await compareModels(one)));
  return found;
}

function compareItems(one: Comparison, rows: readonly ItemRow[]): string[] {
  const { service, now, rhythm, unsureSince } = one;
  const { items, sources } = service.news;
  const found: string[] = [];
  const saved = new Map(rows.map((row) => [row.id, row]));
  const isOld = (at: number) => at <= now - DAY - rhythm;
  if (saved.size !== rows.length) found.push(`items: ${rows.length - saved.size} rows stand twice`);

  for (const item of items.values()) {
    const row = saved.get(item.id);
    const told = service.toldItems.get(item.id);
    if (row && !item.withdrawn) found.push(...compareReason(one, row));
    if (item.changedAt > Math.min(one.began, unsureSince) || item.brokenUntil > one.began - rhythm) continue;

    if (item.member && !row) found.push(`set: ${item.id} is missing`);
    if (item.member && row && !row.inSelectedSet && !one.mayLeave) found.push(`set: ${item.id} is no member`);
    if (!item.member && row?.inSelectedSet) found.push(`set: ${item.id} has left it`);
    if (item.withdrawn) {
      const since = hours(now - item.changedAt);
      if (row && isKnownWithdrawn(one, item))
        found.push(`withdrawn: ${item.id} is still there, withdrawn ${since} ago`);
      continue;
    }
    if (!row && told && ownTime(item) > now - WINDOW)
      found.push(`list: ${item.id} is missing, though an answer had it`);
    const isListed = Math.min(ownTime(item), item.event.firstAt) > now - WINDOW;
    if (!row && !told && isListed && isOld(item.arrivedAt)) found.push(`list: ${item.id} was never brought`);
    if (!row) continue;
    // The client knows others only as the list had them when it last read so far.
    const isCurrent = item.member || (isListed && isOld(item.changedAt));
    if (isCurrent) found.push(...compareRow(row, item, sources[item.source]!));
    else if (told) found.push(...compareRow(row, told, told.sourceName));
  }
  for (const row of rows) if (!items.has(row.id)) found.push(`items: ${row.id} is unknown`);

  const order = rows.map((row) => Date.parse(row.effectiveAt));
  const late = order.findIndex((at, place) => place > 0 && at > order[place - 1]!);
  if (late > 0) found.push(`order: ${rows[late]!.id} stands below an older item`);
  return found;
}

/** A list of selected items may tell the reason of an item that the mirror doesn't have yet, and lacks for a day. */
function compareReason({ service, withReason, now, rhythm }: Comparison, { id, reason }: ItemRow): string[] {
  const told = service.toldReasons.get(id);
  if (reason !== null) withReason.add(id);
  const isDue = !told || withReason.has(id) || told.at <= now - DAY - rhythm;
  return isDue && reason !== (told?.text ?? null) ? [difference('reason', id, told?.text ?? null, reason)] : [];
}

function compareRow(row: ItemRow, item: Item, sourceName: string): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['title', item.title, row.title],
    ['original title', item.originalTitle, row.originalTitle],
    ['summary', item.summary, row.summary],
    ['link', item.link, row.links.original],
    ['category', item.category, row.category],
    ['source', sourceName, row.source.name],
    ['attribution', item.attribution?.url ?? null, row.attribution?.url ?? null],
    ['score', item.score, row.score ?? item.score],
    ['selected', item.selected, row.selected],
    ['discoveredAt', rfc3339(item.discoveredAt), row.discoveredAt],
    ['time', rfc3339(ownTime(item)), rfc3339(Date.parse(row.effectiveAt))],
  ];
  return pairs
    .filter(([, expected, got]) => expected !== got)
    .map(([what, expected, got]) => difference(what, item.id, expected, got));
}

/** Returns true if the ledger said so, or a list that was read to its end while the item should have been in it. */
function isKnownWithdrawn({ service }: Comparison, item: Item): boolean {
  const earliest = Math.min(item.publishedAt ?? item.discoveredAt, item.discoveredAt, item.event.firstAt);
  // Clocks and caches may be a little behind.
  const leftAt = earliest + WINDOW - 10 * MINUTE;
  const whole = '["all","7d","timeline",null,null]';
  return service.sweeps.some(
    ({ query, from, isReadable }) => isReadable && query === whole && from > item.changedAt && from < leftAt,
  );
}

/** An item that leaves the list by a corrected time looks withdrawn to who was never told of it (docs/decisions/006). */
function leftUntold(item: Item, told: Item | undefined): boolean {
  return !item.member && told !== undefined && ownTime(item) < ownTime(told);
}

async function compareReader(one: Comparison, rows: readonly ItemRow[]): Promise<string[]> {
  const { app, service, reader } = one;
  const found: string[] = [];
  const saved = new Map(rows.map((row) => [row.id, row]));
  const starred = await app.call('items.page', {
    query: { scope: 'all', window: 'any', state: 'starred' },
    limit: 500,
  });
  const stars = new Map(starred.rows.map((row) => [row.id, row]));
  for (const [id, kept] of reader.starred) {
    const row = stars.get(id);
    const item = service.news.items.get(id)!;
    if (!row) found.push(`star: ${id} is gone`);
    else if (item.withdrawn || leftUntold(item, service.toldItems.get(id))) continue;
    else if (row.withdrawnAt !== null || row.title === '' || row.links.original === null) {
      const where = item.member ? 'member' : `public, ${hours(one.now - item.discoveredAt)} old`;
      found.push(`star: ${id} lost its texts (${where}; it was "${kept.title}")`);
    }
  }
  for (const id of reader.read) {
    const row = saved.get(id);
    if (row && row.state.readAt === null) found.push(`read: ${id} is unread again`);
  }
  for (const [id, text] of reader.notes) {
    const { note } = await app.call('notes.get', { kind: 'item', id });
    if (note?.text !== text) found.push(difference('note', id, text, note?.text));
  }
  return found;
}

interface CitationLike {
  title: string;
  summary?: string | null;
  links: { original: string | null };
}
interface EditionLike {
  lead?: { title: string; leadParagraph: string } | null;
  headline?: string | null;
  overview?: string | null;
  sections: { label: string; items: CitationLike[] }[];
  flashes?: CitationLike[];
}

function essence({ lead, headline, overview, sections, flashes = [] }: EditionLike): string {
  const citation = ({ title, summary, links }: CitationLike) => [title, summary ?? '', links.original];
  return JSON.stringify({
    headline: headline ?? lead?.title ?? null,
    overview: overview ?? lead?.leadParagraph ?? null,
    sections: sections.map(({ label, items }) => [label, items.map(citation)]),
    flashes: flashes.map(({ title, links }) => [title, links.original]),
  });
}

async function compareReports({ app, service, now, rhythm }: Comparison): Promise<string[]> {
  const found: string[] = [];
  for (const [kind, name] of KINDS) {
    const { lines } = await app.call('reports.index', { kind: name });
    const stored = new Set(lines.filter((line) => line.stored).map(({ label }) => label));
    for (const edition of service.editions.list(kind)) {
      const { label, generatedAt, changedAt } = edition;
      const path = `${kind}/${label}`;
      if (service.troubles.resets.has(path) || now - generatedAt <= 3 * HOUR + rhythm) continue;
      if (!stored.has(label)) {
        found.push(`report: ${path} is missing`);
        continue;
      }
      const report: StoredReport = await app.call('reports.get', { kind: name, label });
      const latest = service.toldBodies.get(`${kind}/latest`);
      const told = [service.toldBodies.get(path), latest?.body.includes(`"${label}"`) ? latest : undefined]
        .filter((one) => one !== undefined)
        .sort((a, b) => b.confirmedAt - a.confirmedAt)[0];
      const truth = service.editions.record(edition, '', service.news.sources) as { report: EditionLike };
      const isOverdue = now - changedAt > (now - generatedAt < 7 * DAY ? DAY : 7 * DAY) + 2 * rhythm;
      const body = told && (JSON.parse(told.body) as { report: EditionLike });
      if (body && essence(report) !== essence(body.report)) found.push(`report: ${path} is not what was told`);
      else if (isOverdue && essence(report) !== essence(truth.report)) found.push(`report: ${path} is out of date`);
    }
  }
  return found;
}

interface StoryLike {
  title: string;
  status: string | null;
  digest: string | null;
  reports: { id: string; title: string; links: { original: string | null } }[];
}

function storyEssence({ title, status, digest, reports }: StoryLike): string {
  const list = unique(reports).map((report) => [report.id, report.title, report.links.original]);
  return JSON.stringify({ title, status, digest, reports: list });
}

async function compareStories({ app, service }: Comparison): Promise<string[]> {
  const found: string[] = [];
  const { stories } = await app.call('stories.list', { which: 'all' });
  for (const { publicId } of stories) {
    const told = service.toldBodies.get(`stories/${publicId}`);
    if (!told) {
      found.push(`story: ${publicId} was never told`);
      continue;
    }
    const saved = await app.call('stories.get', { publicId });
    if (unique(saved.reports).length < saved.reports.length) found.push(`story: ${publicId} lists an article twice`);
    const [expected, got] = [(JSON.parse(told.body) as { story: StoryLike }).story, saved].map(storyEssence);
    if (expected !== got) found.push(difference('story', publicId, expected, got));
  }
  const ranking = service.toldBodies.get('hot-topics');
  const ranked =
    ranking && (JSON.parse(ranking.body) as { items: { rank: number; id: string; title: string }[] }).items;
  const { topics } = await app.call('hotTopics.list', {});
  // One article can lead two topics: a client may show the second or leave it out.
  const list = (all: readonly { rank: number; id: string; title: string }[]) =>
    JSON.stringify(unique(all).map(({ rank, id, title }) => [rank, id, title]));
  if (ranked && list(topics) !== list(ranked)) found.push(difference('hot topics', '', list(ranked), list(topics)));
  return found;
}

async function compareModels({ app, gateway, began, areListsWrong }: Comparison): Promise<string[]> {
  const found: string[] = [];
  // A round asks for the lists once, when it begins: they are good for an hour.
  const isSettled = (id: string) => (gateway.changedAt.get(id) ?? 0) <= began;
  for (const modelList of ['models', 'embeddings'] as const) {
    const lines = new Map((await app.call('models.list', { modelList })).lines.map((line) => [line.id, line]));
    const truth: ReadonlyMap<string, GatewayModel> = gateway[modelList];
    const missing = [...truth.keys()].filter((id) => isSettled(id) && !lines.has(id));
    const surplus = [...lines.keys()].filter((id) => isSettled(id) && !truth.has(id));
    const priced = [...truth.values()].filter(({ id, prompt, completion }) => {
      const pricing = lines.get(id)?.pricing;
      return isSettled(id) && pricing && (pricing['prompt'] !== prompt || pricing['completion'] !== completion);
    });
    // While the gateway errs, only what was saved before counts; few models change in that time.
    const most = areListsWrong ? 12 : 0;
    if (missing.length > most) found.push(`models: ${missing.length} of ${modelList} are missing`);
    if (surplus.length > most) found.push(`models: ${surplus.length} of ${modelList} are no longer listed`);
    if (priced.length > most) found.push(`models: ${priced.length} of ${modelList} have other prices`);
    const twice = [...lines.values()].filter(
      (line) => new Set(line.supportedParameters).size < line.supportedParameters.length,
    );
    if (twice.length > 0) found.push(`models: ${twice.length} of ${modelList} repeat a parameter`);
  }
  const { refreshes } = await app.call('models.changes', { limit: 1000 });
  const changes = refreshes.reduce((sum, refresh) => sum + refresh.changes.length, 0);
  if (changes > gateway.changes) found.push(`models: ${changes} changes are told, ${gateway.changes} happened`);
  return found;
}

function unique<T extends { id: string }>(all: readonly T[]): T[] {
  return all.filter(({ id }, place) => all.findIndex((one) => one.id === id) === place);
}

function difference(what: string, id: string, expected: unknown, got: unknown): string {
  const [one = 'nothing', other = 'nothing'] = [got, expected].map((value) => JSON.stringify(value));
  // The part around the first difference.
  const start = Math.max(0, [...one].findIndex((sign, place) => sign !== [...other][place]) - 30);
  return `${what}: ${id} is ${one.slice(start, start + 120)}, not ${other.slice(start, start + 120)}`;
}

function hours(ms: number): string {
  return `${(ms / HOUR).toFixed(1)} h`;
}
