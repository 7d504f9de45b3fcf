import type {
  Citation,
  ReportKind,
  ReportLine,
  CitationWithStatus,
  StoredReport,
} from '../../../src-main/contract/model/report.ts';
import type {
  HotTopics,
  RankedTopic,
  RankHistory,
  Coverage,
  StoredStory,
  StoryNeighbor,
} from '../../../src-main/contract/model/story.ts';
import { latestPublication } from '../../../src-main/common/publication-timetable.ts';
import { addDays, addMonths, mondayOf } from '../../../src-main/common/time.ts';

const HOUR = 3_600_000;

const TITLES = [
  'Northlight opens the weights of its 32B reasoning model, with a log of every failed run',
  '三家云厂商同日下调推理价格，最高降幅六成',
  'Regulators in four countries publish a joint checklist for agents that spend money',
  'Harbor’s assistant deletes a customer’s staging database; the company tells how',
  '论文：稀疏注意力在百万级上下文中的检索误差可降低一半',
  'Chip maker Ostrava raises output of inference cards by 40 per cent',
  'A benchmark retires itself after its answers leak',
  '北光与海港宣布共享评测集',
];
const NAMES = ['Northlight Blog', '深度观察', 'Papers Weekly', 'The Harbor Changelog', '芯片日报', 'Made-up Wire'];
const SUMMARY =
  'The release includes the base model, the tuned one and a report on failed runs. The licence allows commercial use; the training data are described but not published.';
const SUMMARY_ZH =
  '此次发布包括基础模型、微调模型以及失败实验的报告。许可证允许商业使用；训练数据有说明但未公开。作者称，最难的部分不是规模，而是在奖励信号稀疏时保持稳定。';

const at = (now: number, hours: number): string => new Date(now - hours * HOUR).toISOString();

function madeUpHistory(rank: number, now: number): RankHistory {
  const ranks: (number | null)[] =
    rank % 3 === 2
      ? [9, 7, 4, 4, null, null, 8, 5, rank]
      : rank % 3 === 1
        ? [10, 8, 8, 5, 3, 1, 1, 2, rank]
        : [6, 6, 7, 9, null, 10, 9, rank];
  const points = ranks.map((rank, i) => ({ at: at(now, (ranks.length - i) * 1.6), rank }));
  const best = points.reduce((a, b) => ((b.rank ?? 99) < (a.rank ?? 99) ? b : a));
  return {
    firstSeenAt: points[0]!.at,
    peak: { rank: best.rank!, at: best.at },
    reentries: ranks.includes(null) ? 1 : 0,
    points,
  };
}

/** A ranking with a gap: numbers 1, 2, 4, 5, 6, 7 and 10. */
export function madeUpRanking(now: number): HotTopics {
  const topics = [1, 2, 4, 5, 6, 7, 10].map((rank, i): RankedTopic => ({
    rank,
    id: `item-${i}`,
    title: TITLES[i]!,
    source: { name: NAMES[i % NAMES.length]! },
    links: {
      aihot: `https://service.example/items/${i}`,
      original: `https://news.example/${i}`,
      story: i % 2 === 0 ? `https://service.example/stories/story-${i / 2}` : null,
    },
    sourceCount: 14 - i,
    signalCount: 61 - i * 7,
    participantCount: i === 3 ? null : 1204 - i * 113,
    sourceNames: NAMES.slice(0, 5 - (i % 3)),
    latestAt: at(now, 0.4 + i * 1.3),
    extra: {},
    storyId: i % 2 === 0 ? `story-${i / 2}` : null,
    storyGoneAt: null,
    storySaved: i % 2 === 0,
    moved: [1, -1, 0, null, 3, -2, 0][i]!,
    history: madeUpHistory(rank, now),
    readAt: i === 2 ? at(now, 1) : null,
  }));
  return { topics, since: at(now, 0.2) };
}

function neighbor(n: number, relation: string): StoryNeighbor {
  return {
    publicId: `story-${n}`,
    title: TITLES[(n * 2) % TITLES.length]!,
    relation,
    links: { aihot: null, api: null },
    extra: {},
  };
}

export function madeUpStory(n: number, now: number, changes: Partial<StoredStory> = {}): StoredStory {
  const reports = Array.from({ length: 7 }, (_, i): Coverage => ({
    id: `story-${n}-report-${i}`,
    title: TITLES[(n + i) % TITLES.length]!,
    summary: i % 3 === 2 ? null : i % 2 === 0 ? SUMMARY : SUMMARY_ZH,
    source: { name: NAMES[(n + i) % NAMES.length]!, firstParty: i === 6 || i === 2 },
    publishedAt: at(now, 1 + i * 7),
    links: { aihot: null, original: i === 5 ? null : `https://news.example/${n}/${i}` },
    extra: {},
  }));
  return {
    publicId: `story-${n}`,
    title: TITLES[(n * 2) % TITLES.length]!,
    status: n % 3 === 2 ? 'settled' : 'active',
    sourceCount: 9 - n,
    reportCount: reports.length,
    firstReportAt: at(now, 44),
    latestAt: at(now, 1),
    latest:
      'Two of the three labs that repeated the runs confirm the figures; the third finds a smaller gain on long inputs.',
    digest:
      '**Northlight** published the weights on Monday, with a log of every failed run.\n\nEarlier reports spoke of *a research licence only*; the published licence allows commercial use, which contradicts them. See the [licence](https://news.example/licence).\n\n- Two labs confirm the figures.\n- One finds a smaller gain on inputs beyond 200,000 tokens.',
    digestUpdatedAt: at(now, 2),
    links: { aihot: `https://service.example/stories/story-${n}` },
    reports: reports.map((report) => ({ ...report, itemId: null, readAt: null })),
    storyline: n === 0 ? [neighbor(1, 'earlier')] : [],
    related: [neighbor((n + 2) % 4, 'same company'), neighbor((n + 3) % 4, 'same topic')],
    extra: {},
    fetchedAt: at(now, 0.1),
    goneAt: null,
    followedAt: null,
    starredAt: null,
    fresh: { reportIds: [], digest: false },
    ...changes,
  };
}

function madeUpCitation(seed: number, i: number, now: number): CitationWithStatus {
  const n = (seed + i) % TITLES.length;
  const citation: Citation = {
    title: TITLES[n]!,
    summary: i % 2 === 0 ? SUMMARY : SUMMARY_ZH,
    source: { name: NAMES[n % NAMES.length]! },
    links: { aihot: null, original: `https://news.example/${seed}/${i}` },
    publishedAt: at(now, 3 + i),
    attribution: i === 3 ? { name: 'Made-up Wire', url: 'https://wire.example/' } : null,
    extra: {},
  };
  return {
    ...citation,
    itemId: i % 3 === 1 ? `item-${i}` : null,
    readAt: i % 4 === 1 ? at(now, 1) : null,
    key: `https://news.example/${seed}/${i}`,
  };
}

/** A report whose label, neighbours and marks are those of its line. */
export function madeUpReport(line: ReportLine, now: number, neighbours: [string | null, string | null]): StoredReport {
  const seed = Number(line.label.replace(/\D/g, '')) % 7;
  const daily = line.kind === 'daily';
  const names = daily ? ['Models', 'Products', 'Research'] : ['What mattered', 'Tools', 'Debates'];
  return {
    kind: line.kind,
    label: line.label,
    generatedAt: line.generatedAt,
    windowStart: daily ? at(now, 34) : null,
    windowEnd: daily ? at(now, 10) : null,
    periodStart: line.periodStart,
    periodEnd: line.periodEnd,
    headline: line.headline,
    overview: `${SUMMARY}\n\n${SUMMARY_ZH}`,
    links: { aihot: `https://service.example/${line.kind}/${line.label}` },
    attribution: { name: 'Made-up Service', url: 'https://service.example/' },
    sections: names.map((label, s) => ({
      label,
      summary: daily ? null : SUMMARY,
      items: s === 2 && daily ? [] : [0, 1, 2].map((i) => madeUpCitation(seed + s, s * 3 + i, now)),
      extra: {},
    })),
    flashes: daily ? [0, 1, 2].map((i) => ({ ...madeUpCitation(seed, 20 + i, now), summary: null })) : [],
    extra: {},
    listed: { headline: line.headline, overview: null, attribution: null },
    fetchedAt: at(now, 0.5),
    checkedAt: at(now, 0.5),
    freshUntil: at(now, 0.4),
    goneAt: null,
    readAt: line.readAt,
    corrections:
      line.corrections === 0
        ? []
        : [
            { at: at(now, 2), kind: 'withdrawn', section: 'Models', text: null },
            {
              at: at(now, 5),
              kind: 'edited',
              section: null,
              text: {
                field: 'headline',
                before: 'Northlight opens the weights of its 30B model',
                after: 'Northlight opens the weights of its 32B reasoning model',
              },
            },
          ],
    previous: neighbours[0],
    next: neighbours[1],
  };
}

function madeUpLine(kind: ReportKind, label: string, n: number, now: number): ReportLine {
  const start = kind === 'daily' ? null : kind === 'weekly' ? mondayOf(label) : `${label}-01`;
  const end = start && (kind === 'weekly' ? addDays(start, 6) : addDays(`${addMonths(label, 1)}-01`, -1));
  return {
    kind,
    label,
    headline: n === 5 ? null : TITLES[(n * 3) % TITLES.length]!,
    overview: null,
    generatedAt: at(now, 3 + n * 24),
    periodStart: start,
    periodEnd: end,
    links: { aihot: null },
    attribution: null,
    extra: {},
    stored: n < 40,
    goneAt: null,
    readAt: n % 3 === 2 ? at(now, n) : null,
    corrections: n === 1 ? 2 : 0,
  };
}

/** Sixty dailies less two that are missing, eight weeklies less one, two monthlies: newest first. */
export function madeUpIndexes(now: number): Record<ReportKind, ReportLine[]> {
  const newest = latestPublication('daily', now).label;
  const monday = mondayOf(latestPublication('weekly', now).label);
  const month = latestPublication('monthly', now).label;
  const dailies = Array.from({ length: 60 }, (_, n) => madeUpLine('daily', addDays(newest, -n), n, now));
  const weeks = Array.from({ length: 8 }, (_, n) => madeUpLine('weekly', weekLabel(addDays(monday, -7 * n)), n, now));
  return {
    daily: dailies.filter((_, n) => n !== 4 && n !== 23),
    weekly: weeks.filter((_, n) => n !== 2),
    monthly: [0, 1].map((n) => madeUpLine('monthly', addMonths(month, -n), n, now)),
  };
}

function weekLabel(monday: string): string {
  const thursday = addDays(monday, 3);
  const first = mondayOf(`${thursday.slice(0, 4)}-W01`);
  const week = Math.round((Date.parse(monday) - Date.parse(first)) / (7 * 24 * HOUR)) + 1;
  return `${thursday.slice(0, 4)}-W${String(week).padStart(2, '0')}`;
}
