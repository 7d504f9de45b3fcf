import type { Ref } from '../refs.ts';
import type { ItemRow } from './item.ts';
import type { ReportKind } from './report.ts';
import type { RankedTopic, StoryLine } from './story.ts';

export interface ReportLength {
  stories: number;
  minutes: number;
  read: number;
  /** Without stories that have no address, which can't be marked. */
  unread: number;
}

export interface FrontStory {
  /** Null for a lead and for flashes, which are in no section. */
  section: string | null;
  title: string;
  summary: string | null;
  key: string | null;
}

export interface FrontReport extends ReportLength {
  kind: ReportKind;
  label: string;
  goneAt: string | null;
  headline: string | null;
  overview: string | null;
}

export interface FrontDaily extends FrontReport {
  /** The first unread story of a daily that was begun, or has no headline. */
  next: FrontStory | null;
  /** Some of the other unread stories, of each section if there is room, in reading order. */
  toGo: FrontStory[];
  /** The number of unread stories beside these. */
  more: number;
}

type FrontTopic = Pick<RankedTopic, 'id' | 'storyId' | 'rank' | 'title' | 'sourceCount'>;

export type FrontPick = Pick<ItemRow, 'id' | 'title' | 'source'>;

export interface Today {
  daily: FrontDaily | null;
  /** Unread weeklies and monthlies of the last seven days. */
  alsoNew: FrontReport[];
  topics: FrontTopic[];
  /** Followed, with news. */
  stories: StoryLine[];
  quiet: { count: number; stories: Pick<StoryLine, 'publicId' | 'title'>[] };
  /** Added to the selected set since the last visit. */
  picks: { since: string | null; added: number; rows: FrontPick[] };
  /** After a holiday of three days or more (docs/decisions/173). */
  away: Away | null;
}

export interface Away {
  since: string;
  /** Weeklies that came out meanwhile; if there were none, dailies. Newest first. */
  reports: FrontReport[];
  top: AwayHit[];
  /** Unread items from before today; `below` and `watermark` are for `items.markAllRead`. */
  older: { count: number; below: number; watermark: number };
}

export interface AwayHit {
  ref: Extract<Ref, { view: 'item' | 'story' }>;
  title: string;
  sourceCount: number | null;
  source: string | null;
  /** When it was the hottest topic; null if that isn't known. */
  first: { days: number; lastAt: string } | null;
}

/** `characters` are UTF-16 units of each long text. */
export const FRONT_LIMITS = {
  toGo: 6,
  topics: 3,
  stories: 3,
  picks: 3,
  reports: 6,
  top: 3,
  characters: 1_200,
} as const;

export interface SinceLastVisit {
  since: string | null;
  /** The row key of the newest item that was there: those above it in a list are new. Null for none. */
  newestKey: number | null;
  added: number;
  older: number;
  revised: number;
  withdrawn: number;
  selected: { added: number; older: number; revised: number };
}

export const VISIT_LISTS = ['added', 'older', 'revised', 'withdrawn'] as const;

export type VisitList = (typeof VISIT_LISTS)[number];

export interface Withdrawal {
  id: string;
  at: string;
}
