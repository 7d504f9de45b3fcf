import { MODEL_PANELS, STORY_LISTS, type ModelPanel, type StoryList } from '../../../src-main/contract/location.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { REPORT_KINDS, type ReportKind, isReportLabel } from '../../../src-main/contract/model/report.ts';
import { MODEL_LISTS, type ModelListName } from '../../../src-main/contract/model/resource.ts';
import { queryKey, type ListPlace } from '../../features/feed/index.ts';

/** The identity of a place: items, topics, stories and models by their ids; null for none. */
export type Shown =
  | { view: 'feed'; query: ItemsQuery; item: string | null; front: boolean }
  /** `over` is the item that covers a story or a report. */
  | { view: 'hotTopics'; topic: string | null; story: string | null; over: string | null }
  | { view: 'stories'; list: StoryList; story: string | null; over: string | null }
  | { view: 'archive'; kind: ReportKind; report: { kind: ReportKind; label: string } | null; over: string | null }
  | { view: 'models'; modelList: ModelListName; panel: ModelPanel; model: string | null }
  | { view: 'notes' | 'sources' | 'statistics' };

/** The reading position within a place. Changing it does not lead to another place. */
export interface Position {
  /** In the feed's list; null for its top. */
  row: ListPlace | null;
  /**
   * In another list, in px; `entry` is its first visible entry if it has named ones, `part` the px of it that are
   * scrolled out.
   */
  list: { top: number; entry: string | null; part: number };
  /** In the open text, in px. */
  text: number;
  /** Filter of the list of sources or models. */
  find: string;
}

export interface Place {
  shown: Shown;
  at: Position;
}

/** The limit of the core. */
const LONGEST = 16_000;
const LONGEST_ID = 512;
const LONGEST_FIND = 200;
/** Limit for places and px. */
const MOST = 1e15;

export const START: Position = { row: null, list: { top: 0, entry: null, part: 0 }, text: 0, find: '' };

/** Returns the same text for equal places. */
export function keyOf(shown: Shown): string {
  return shown.view === 'feed'
    ? `${queryKey(shown.query)} ${String(shown.front)} ${shown.item ?? ''}`
    : JSON.stringify(shown);
}

export function textOf(place: Place): string {
  return JSON.stringify(place);
}

/** Parses a place; null for one that can't be used: people edit files, and other versions wrote others. */
export function placeOf(text: unknown): Place | null {
  if (typeof text !== 'string' || text.length > LONGEST) return null;
  try {
    const { shown, at } = part(JSON.parse(text));
    return { shown: shownIn(part(shown)), at: positionIn(part(at)) };
  } catch {
    return null;
  }
}

type Part = Readonly<Record<string, unknown>>;

class Unusable extends Error {}

function part(value: unknown): Part {
  if (typeof value === 'object' && value !== null) return value as Part;
  throw new Unusable();
}

function shownIn(place: Part): Shown {
  const { view } = place;
  switch (view) {
    case 'feed':
      return { view, query: queryIn(part(place['query'])), item: idIn(place['item']), front: place['front'] === true };
    case 'hotTopics':
      return { view, topic: idIn(place['topic']), story: idIn(place['story']), over: idIn(place['over']) };
    case 'stories':
      return { view, list: oneOf(STORY_LISTS, place['list']), story: idIn(place['story']), over: idIn(place['over']) };
    case 'archive': {
      const kind = oneOf(REPORT_KINDS, place['kind']);
      return { view, kind, report: reportIn(place['report']), over: idIn(place['over']) };
    }
    case 'models': {
      const modelList = oneOf(MODEL_LISTS, place['modelList']);
      return { view, modelList, panel: oneOf(MODEL_PANELS, place['panel']), model: idIn(place['model']) };
    }
    case 'notes':
    case 'sources':
    case 'statistics':
      return { view };
    default:
      throw new Unusable();
  }
}

function queryIn(query: Part): ItemsQuery {
  const { category, source, saved, muted, text } = query;
  return {
    scope: oneOf(['selected', 'all'], query['scope']),
    window: oneOf(['24h', '7d', 'any'], query['window']),
    state: oneOf(['any', 'unread', 'starred'], query['state']),
    ...(category !== undefined && { category: textIn(category, 200) }),
    ...(source !== undefined && { source: textIn(source, 2000) }),
    ...(saved !== undefined && { saved: textIn(saved, 36, /^[0-9a-zA-Z-]+$/) }),
    ...(muted === true && { muted }),
    ...(text !== undefined && { text: textIn(text, 1000) }),
  };
}

function reportIn(value: unknown): { kind: ReportKind; label: string } | null {
  if (value === null) return null;
  const report = part(value);
  const kind = oneOf(REPORT_KINDS, report['kind']);
  const label = textIn(report['label'], 20);
  if (!isReportLabel(kind, label)) throw new Unusable();
  return { kind, label };
}

function positionIn(at: Part): Position {
  const list = part(at['list']);
  const row = at['row'] === null ? null : part(at['row']);
  return {
    row: row && {
      place: numberIn(row['place']),
      part: Math.min(0.999, numberIn(row['part'])),
      top: numberIn(row['top']),
    },
    list: { top: numberIn(list['top']), entry: idIn(list['entry']), part: numberIn(list['part']) },
    text: numberIn(at['text']),
    find: at['find'] === '' ? '' : textIn(at['find'], LONGEST_FIND),
  };
}

function idIn(value: unknown): string | null {
  return value === null ? null : textIn(value, LONGEST_ID);
}

function textIn(value: unknown, longest: number, like = /\S/): string {
  if (typeof value === 'string' && value.length <= longest && like.test(value)) return value;
  throw new Unusable();
}

function numberIn(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= MOST) return value;
  throw new Unusable();
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value {
  const found = values.find((one) => one === value);
  if (found !== undefined) return found;
  throw new Unusable();
}
