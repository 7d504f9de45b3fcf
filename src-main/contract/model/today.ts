import type { RankedTopic, RankHistory } from './hot-topic.ts';
import type { ChangedField } from './model.ts';
import type { CitationWithStatus, ReportKind } from './report.ts';
import type { ModelListName } from './resource.ts';
import type { StoryLine } from './story.ts';

/** How long a report is. Stories are those of its lead, sections and briefs. */
export interface ReportLength {
  stories: number;
  /** Of reading, by the rule of docs/decisions/070. */
  minutes: number;
  /** Stories that were read, in the feed or in a report. */
  read: number;
  /** Stories that can still be marked as read: `stories` less `read`, less those without an address. */
  unread: number;
}

/** The first story of a section. */
export interface FrontStory extends Pick<CitationWithStatus, 'title' | 'source' | 'key' | 'readAt'> {
  section: string;
}

/** A saved report as the front page shows it. */
export interface FrontReport extends ReportLength {
  kind: ReportKind;
  label: string;
  /** RFC 3339. */
  generatedAt: string | null;
  goneAt: string | null;
  readAt: string | null;
  headline: string | null;
  overview: string | null;
  /** At most {@link FRONT_LIMITS}.sections. */
  firstStories: FrontStory[];
}

/** A topic with the part of its rank history that a small chart shows. */
export type FrontTopic = Omit<RankedTopic, 'history'> & { history: Pick<RankHistory, 'points'> };

/** A model with what changed of it since the last visit. */
export interface FrontModel {
  modelList: ModelListName;
  id: string;
  name: string;
  fields: ChangedField[];
}

/** What the front page shows: everything that is bounded by {@link FRONT_LIMITS}, and the numbers of the rest. */
export interface Today {
  /** The newest saved daily; null before one is saved. */
  daily: FrontReport | null;
  /** The newest weekly and monthly, if they came out in the last week and are unread. */
  alsoNew: { kind: ReportKind; label: string; headline: string | null }[];
  topics: {
    /** By rank. */
    top: FrontTopic[];
    /** RFC 3339: when this ranking was first synced; null before the first sync. */
    since: string | null;
    /** Whether there was an earlier ranking: in the first one every topic would be called new. */
    compared: boolean;
    /** How many topics of the whole ranking were not opened yet. */
    unseen: number;
  };
  stories: {
    /** Followed stories with news, latest development first. */
    lines: StoryLine[];
    withNews: number;
    followed: number;
  };
  /** What changed in the model lists since the last visit; null before the first visit and without changes. */
  models: {
    /** RFC 3339: the last visit. */
    since: string;
    /** Models by what changed: each counts once for each kind of change. */
    counts: { field: ChangedField; count: number }[];
    /** New models first, then those with other changes, newest first. */
    models: FrontModel[];
  } | null;
}

/** The most entries of each list of {@link Today}; `characters` of each long text, in UTF-16 units. */
export const FRONT_LIMITS = { sections: 6, topics: 5, stories: 5, models: 6, characters: 1_200 } as const;
