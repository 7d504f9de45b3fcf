import { Temporal } from 'temporal-polyfill';
import type { Item, News } from './news.ts';
import { DAY, HOUR, MINUTE, rfc3339 } from './random.ts';

export type EditionKind = 'dailies' | 'weeklies' | 'monthlies';

export interface Citation {
  item: Item;
  title: string;
  summary: string;
  link: string;
}

export interface Edition {
  kind: EditionKind;
  label: string;
  generatedAt: number;
  from: number;
  until: number;
  headline: string | null;
  overview: string;
  sections: { label: string; citations: Citation[] }[];
  flashes: Citation[];
  changedAt: number;
}

export interface Editions {
  /** Newest first. */
  list(kind: EditionKind): Edition[];
  indexEntry(edition: Edition, origin: string): object;
  record(edition: Edition, origin: string, names: readonly string[]): object;
}

const SHANGHAI = 8 * HOUR;
const labelKey = { dailies: 'date', weeklies: 'week', monthlies: 'month' } as const;

function day(at: number): Temporal.PlainDate {
  return Temporal.PlainDate.from(new Date(at + SHANGHAI).toISOString().slice(0, 10));
}

/** Midnight in Shanghai. */
function midnight(date: Temporal.PlainDate): number {
  return Date.parse(`${date.toString()}T00:00:00+08:00`);
}

/** Reports published until `end`; the first is of `start`. */
export function makeEditions(news: News, start: number, end: number): Editions {
  const published: Record<EditionKind, Edition[]> = { dailies: [], weeklies: [], monthlies: [] };
  const { dice, agenda } = news;
  const cite = (item: Item): Citation => ({ item, title: item.title, summary: item.summary ?? '', link: item.link });

  function corrections(edition: Edition, at: number) {
    const change = (probability: number, act: (citations: Citation[]) => void) => {
      if (!dice.chance(probability)) return;
      agenda.at(at + dice.between(30, 9 * 24 * 60) * MINUTE, (time) => {
        const section = edition.sections.find((one) => one.citations.length > 1);
        if (!section) return;
        act(section.citations);
        edition.changedAt = time;
      });
    };
    change(0.4, (citations) => (citations[0]!.title = `${citations[0]!.title} (corrected)`));
    change(0.25, (citations) => citations.pop());
    change(0.1, () => (edition.overview = `${edition.overview} Corrected.`));
  }

  function publish(kind: EditionKind, label: string, at: number, from: number, until: number, most: number) {
    const chosen = [...news.items.values()]
      .filter((item) => item.selected && !item.withdrawn && item.arrivedAt >= from && item.arrivedAt < until)
      .slice(0, most);
    const labels = [...new Set(chosen.map((item) => item.category ?? 'more'))];
    const edition: Edition = {
      kind,
      label,
      generatedAt: at,
      from,
      until,
      headline: kind === 'dailies' && dice.chance(0.2) ? null : `Headline of ${label}`,
      overview: `Overview of ${label}.`,
      sections: labels.map((name) => ({
        label: name,
        citations: chosen.filter((item) => (item.category ?? 'more') === name).map(cite),
      })),
      flashes: kind === 'dailies' ? chosen.slice(-3).map(cite) : [],
      changedAt: at,
    };
    if (kind === 'dailies' && dice.chance(0.2)) edition.sections.push({ label: 'empty', citations: [] });
    published[kind].unshift(edition);
    corrections(edition, at);
  }

  for (let date = day(start); midnight(date) < end; date = date.add({ days: 1 })) {
    const [today, at] = [date, midnight(date) + 8 * HOUR];
    const late = dice.chance(0.2) ? dice.between(5, 200) * MINUTE : dice.between(0, 60) * 1000;
    agenda.at(at + late, (time) => publish('dailies', today.toString(), time, at - DAY, at, 25));
    if (date.dayOfWeek === 1) {
      const monday = date.subtract({ days: 7 });
      const label = `${monday.yearOfWeek}-W${String(monday.weekOfYear).padStart(2, '0')}`;
      agenda.at(at + 2 * HOUR, (time) => publish('weeklies', label, time, midnight(monday), midnight(today), 40));
    }
    if (date.day === 1) {
      const first = date.subtract({ months: 1 });
      const label = first.toString().slice(0, 7);
      agenda.at(at + 2.5 * HOUR, (time) => publish('monthlies', label, time, midnight(first), midnight(today), 60));
    }
  }

  function dates(edition: Edition) {
    if (edition.kind === 'dailies') return { date: edition.label };
    const [first, last] = [edition.from, edition.until - 1].map((at) => day(at).toString());
    return { [labelKey[edition.kind]]: edition.label, periodStart: first, periodEnd: last };
  }
  const links = (edition: Edition, origin: string) => ({ aihot: `${origin}/${edition.kind}/${edition.label}` });

  function indexEntry(edition: Edition, origin: string) {
    const told =
      edition.kind === 'dailies'
        ? { leadTitle: edition.headline ?? 'A title', leadParagraph: edition.overview }
        : { headline: edition.headline };
    return { ...dates(edition), generatedAt: rfc3339(edition.generatedAt), ...told, links: links(edition, origin) };
  }

  function record(edition: Edition, origin: string, names: readonly string[]) {
    const daily = edition.kind === 'dailies';
    const citation = ({ item, title, summary, link }: Citation) => ({
      title,
      summary,
      source: { name: names[item.source] },
      links: { aihot: item.score === null ? null : `${origin}/items/${item.id}`, original: link },
      ...(!daily && { publishedAt: rfc3339(item.discoveredAt) }),
    });
    return {
      report: {
        ...dates(edition),
        generatedAt: rfc3339(edition.generatedAt),
        windowStart: rfc3339(edition.from),
        windowEnd: rfc3339(edition.until),
        links: links(edition, origin),
        ...(daily
          ? { lead: edition.headline === null ? null : { title: edition.headline, leadParagraph: edition.overview } }
          : { headline: edition.headline, overview: edition.overview }),
        sections: edition.sections.map(({ label, citations }) => ({ label, items: citations.map(citation) })),
        ...(daily && {
          flashes: edition.flashes.map((one) => ({
            title: one.title,
            source: { name: names[one.item.source] },
            links: { aihot: null, original: one.link },
            publishedAt: rfc3339(one.item.discoveredAt),
          })),
        }),
      },
    };
  }
  return { list: (kind) => published[kind], indexEntry, record };
}
