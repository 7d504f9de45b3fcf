import { arcOf, isFirstParty, subjectOf } from '../content/item-texts.ts';
import { type Category, DIGEST_PHRASES, joinSentences } from '../content/texts.ts';
import { type ApiRequest, type ApiResponse, iso, json, Problem, readNoQuery } from '../http.ts';
import { drawId, PURPOSE, SeededRandom } from '../random.ts';
import { createRecord, type DemoRecord } from '../record.ts';
import type { DemoState } from '../state.ts';

const MAX_ID = 128;
const CONCLUDED_AFTER = 36 * 3_600_000;

/** Serves `GET /stories/{publicId}` (document 1 section 4.3). */
export function story(state: DemoState, request: ApiRequest): ApiResponse {
  readNoQuery(request.search);
  const [publicId = ''] = request.captured;
  if (publicId.length > MAX_ID) throw new Problem('invalid_request', `publicId has more than ${MAX_ID} characters.`);
  const found = findStory(state, publicId);
  if (!found) throw new Problem('not_found', 'There is no such story.');
  if (found.merged) return { status: 308, headers: { location: `/api/v1/stories/${found.story.publicId}` }, body: '' };
  return json({ story: storyBody(state, found.story, request) }, 60);
}

function storyPage({ pages }: DemoState, publicId: string): string {
  return `${pages}/stories/${publicId}`;
}

function storyBody(state: DemoState, found: Story, request: ApiRequest): object {
  const { publicId, newsEvent, items } = found;
  const { listed, count } = state.harsh
    ? wideCoverage(state.seed, found)
    : { listed: newestFirst(items), count: items.length };
  const [latest, first] = [items.at(-1) as DemoRecord, items[0] as DemoRecord];
  const digest = digestOf(state, newsEvent, latest.category, items.length);
  return {
    publicId,
    title: state.serve(first).title,
    status: request.now - latest.discoveredAt > CONCLUDED_AFTER ? 'settled' : 'active',
    sourceCount: new Set(listed.map((record) => state.serve(record).source.name)).size,
    reportCount: count,
    firstReportAt: iso(first.discoveredAt),
    latestAt: iso(latest.discoveredAt),
    latest: state.serve(latest).summary ?? state.serve(latest).title,
    digest,
    digestUpdatedAt: digest === null ? null : iso(latest.discoveredAt + 60_000),
    links: { aihot: storyPage(state, publicId) },
    reports: listed.map((record) => report(state, record)),
    storyline: storylineOf(state, found).map((other) =>
      neighbour(state, other, other.newsEvent < newsEvent ? 'earlier' : 'later', request),
    ),
    related: relatedTo(state, found).map((other) => neighbour(state, other, 'related', request)),
  };
}

function report(state: DemoState, record: DemoRecord): object {
  const { id, title, summary, source, publishedAt, discoveredAt, links } = state.serve(record);
  return {
    id,
    title,
    summary,
    source: { ...source, firstParty: isFirstParty(state.seed, record) },
    publishedAt: publishedAt ?? discoveredAt,
    links,
  };
}

/** Gives some links the id of a story that has been merged since. */
function neighbour(state: DemoState, other: Story, relation: string, request: ApiRequest): object {
  const publicId = mergedIdOf(state, other.newsEvent) ?? other.publicId;
  const title = state.serve(other.items[0] as DemoRecord).title;
  return {
    publicId,
    title,
    relation,
    links: { aihot: storyPage(state, publicId), api: `${request.origin}/api/v1/stories/${publicId}` },
  };
}

const REFRESH = 300_000;
const REACH = 48 * 3_600_000;
const HALF_LIFE = 9 * 3_600_000;
const RANKS = 10;

interface Topic {
  items: DemoRecord[];
  heat: number;
}

/** Serves `GET /hot-topics` (document 1 section 4.2). */
export function hotTopics(state: DemoState, request: ApiRequest): ApiResponse {
  readNoQuery(request.search);
  // Counted from the oldest content, so that a set of known size is ranked alike at every hour of the day.
  const refreshes = Math.floor((request.now - state.startsAt) / REFRESH);
  const at = state.startsAt + refreshes * REFRESH;
  const ranked = topicsAt(state, at)
    .slice(0, RANKS)
    .map((topic, index) => ({ topic, rank: index + 1 }));
  // In one hour out of four a hidden topic leaves a gap.
  const random = new SeededRandom(state.seed, PURPOSE.ranking, Math.floor((refreshes * REFRESH) / 3_600_000));
  const hidden = random.chance(0.25) ? random.between(1, RANKS) : 0;
  const shown = ranked.filter(({ rank }) => rank !== hidden);
  return json({ count: shown.length, items: shown.map(({ topic, rank }) => topicBody(state, topic, rank, at)) }, 60);
}

function topicsAt(state: DemoState, at: number): Topic[] {
  const groups = new Map<string, DemoRecord[]>();
  for (const record of state.itemIndex.listDiscovered(at - REACH, at + 1)) {
    const key = record.newsEvent === null ? record.id : `event ${record.newsEvent}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  const topics = [...groups.values()].map((items) => ({ items, heat: heatOf(state, items, at) }));
  return topics.sort((a, b) => b.heat - a.heat);
}

function heatOf(state: DemoState, items: DemoRecord[], at: number): number {
  const latest = items.at(-1) as DemoRecord;
  const best = Math.max(...items.map(({ score }) => score));
  const discussion =
    new SeededRandom(state.seed, PURPOSE.ranking, latest.slot, (at - state.startsAt) / REFRESH).next() * 6;
  return (items.length * 9 + best ** 2 / 180 + discussion) * 0.5 ** ((at - latest.discoveredAt) / HALF_LIFE);
}

function topicBody(state: DemoState, { items }: Topic, rank: number, at: number): object {
  const lead = items[0] as DemoRecord;
  const { id, title, source, links } = state.serve(lead);
  const story = lead.newsEvent === null ? null : storyOf(state, lead.newsEvent, at);
  const sourceNames = [...new Set(items.map((record) => state.serve(record).source.name))];
  const random = new SeededRandom(state.seed, PURPOSE.ranking, lead.slot);
  const signals = random.between(4, 30) * items.length;
  return {
    rank,
    id,
    title,
    source,
    links: { aihot: links.aihot, original: links.original, ...(story && { story: storyPage(state, story.publicId) }) },
    sourceCount: sourceNames.length,
    signalCount: signals,
    participantCount: random.chance(0.8) ? signals * random.between(2, 5) : null,
    sourceNames,
    latestAt: iso((items.at(-1) as DemoRecord).discoveredAt),
  };
}

const MIN_ITEMS = 3;

interface Story {
  publicId: string;
  newsEvent: number;
  items: DemoRecord[];
}

/** Returns null while there are too few items, which are oldest first. */
function storyOf(state: DemoState, newsEvent: number, at = Infinity): Story | null {
  const items = state.itemIndex.listOfEvent(newsEvent).filter((record) => record.discoveredAt <= at);
  return items.length < MIN_ITEMS ? null : { publicId: publicIdOf(state, newsEvent), newsEvent, items };
}

function publicIdOf(state: DemoState, newsEvent: number): string {
  return `s${drawId(state.seed, newsEvent, PURPOSE.story)}`;
}

/** Returns the id of a story merged into this one, which older pages still link to, for one event in six. */
function mergedIdOf(state: DemoState, newsEvent: number): string | null {
  const merged = new SeededRandom(state.seed, PURPOSE.story, newsEvent).chance(1 / 6);
  return merged ? `s${drawId(state.seed, newsEvent, PURPOSE.story, 1)}` : null;
}

export function findStory(state: DemoState, publicId: string): { story: Story; merged: boolean } | null {
  for (const newsEvent of state.itemIndex.listEvents()) {
    const merged = mergedIdOf(state, newsEvent) === publicId;
    if (!merged && publicIdOf(state, newsEvent) !== publicId) continue;
    const story = storyOf(state, newsEvent);
    return story && { story, merged };
  }
  return null;
}

function storylineOf(state: DemoState, { newsEvent }: Story): Story[] {
  return neighbours(state, newsEvent, (other) => arcOf(other) === arcOf(newsEvent));
}

function relatedTo(state: DemoState, { newsEvent, items }: Story): Story[] {
  const category = items[0]?.category;
  const near = neighbours(state, newsEvent, (other) => arcOf(other) !== arcOf(newsEvent));
  return near.filter((other) => other.items[0]?.category === category).slice(-3);
}

function neighbours(state: DemoState, newsEvent: number, isWanted: (newsEvent: number) => boolean): Story[] {
  return state.itemIndex
    .listEvents()
    .filter((other) => other !== newsEvent && Math.abs(other - newsEvent) <= 24 && isWanted(other))
    .sort((a, b) => a - b)
    .map((other) => storyOf(state, other))
    .filter((story) => story !== null);
}

const HOUR = 3_600_000;
/** A story has 86 reports in all, and lists the newest 50 (observed-4-listed). */
const REPORTS = 86;
const LISTED = 50;
const REPORT_SLOTS = 3_000_000_000;

/** Gives every second story more reports than it lists. Returns the newest first. */
function wideCoverage(seed: number, { newsEvent, items }: Story): { listed: DemoRecord[]; count: number } {
  if (newsEvent % 2 !== 0) return { listed: newestFirst(items).slice(0, LISTED), count: items.length };
  const [first] = items;
  const others = Array.from({ length: Math.max(0, LISTED - items.length) }, (_, index) => {
    const slot = REPORT_SLOTS + newsEvent * LISTED + index;
    const at = (first?.discoveredAt ?? 0) - new SeededRandom(seed, PURPOSE.harsh, slot).between(0, 6 * HOUR);
    const report = createRecord(seed, slot, at, { selected: false, single: true });
    return { ...report, newsEvent, category: first?.category ?? report.category, publishedAt: at };
  });
  return { listed: newestFirst([...items, ...others]).slice(0, LISTED), count: Math.max(REPORTS, items.length) };
}

function newestFirst(records: readonly DemoRecord[]): DemoRecord[] {
  return records.toSorted((a, b) => (b.publishedAt ?? b.discoveredAt) - (a.publishedAt ?? a.discoveredAt));
}

/** Returns light Markdown; null up to three items, and with what they disagree about from six on. */
function digestOf({ seed, language }: DemoState, newsEvent: number, category: Category, items: number): string | null {
  if (items <= 3) return null;
  const { kind, fact } = subjectOf(seed, newsEvent, newsEvent, category);
  const random = new SeededRandom(seed, PURPOSE.story, newsEvent, 2);
  const [first, second, third] = random.some(kind.details, 3);
  const paragraphs = [
    [kind.leads[0]],
    [first, second],
    ...(items >= 6 ? [[random.pick(DIGEST_PHRASES.contradictions)]] : []),
    [third, random.pick(DIGEST_PHRASES.outlooks)],
  ];
  return paragraphs.map((sentences) => joinSentences(sentences, fact, language)).join('\n\n');
}
