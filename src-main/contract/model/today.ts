import type { RankedTopic, RankHistory, StoryLine } from './story.ts';
import type { ChangedField } from './model.ts';
import type { CitationWithStatus, ReportKind } from './report.ts';
import type { ModelListName } from './resource.ts';

export interface ReportLength {
  stories: number;
  minutes: number;
  read: number;
  /** Without stories that have no address, which can't be marked. */
  unread: number;
}

export interface FrontStory extends Pick<CitationWithStatus, 'title' | 'source' | 'key' | 'readAt'> {
  section: string;
}

export interface FrontReport extends ReportLength {
  kind: ReportKind;
  label: string;
  generatedAt: string | null;
  goneAt: string | null;
  readAt: string | null;
  headline: string | null;
  overview: string | null;
  firstStories: FrontStory[];
}

type FrontTopic = Omit<RankedTopic, 'history'> & { history: Pick<RankHistory, 'points'> };

export interface FrontModel {
  modelList: ModelListName;
  id: string;
  name: string;
  fields: ChangedField[];
}

export interface Today {
  daily: FrontReport | null;
  alsoNew: { kind: ReportKind; label: string; headline: string | null }[];
  topics: {
    top: FrontTopic[];
    since: string | null;
    /** False for the first ranking, in which every topic would count as new. */
    compared: boolean;
    unseen: number;
  };
  stories: {
    lines: StoryLine[];
    withNews: number;
    followed: number;
  };
  models: {
    since: string;
    counts: { field: ChangedField; count: number }[];
    models: FrontModel[];
  } | null;
}

/** `characters` are UTF-16 units of each long text. */
export const FRONT_LIMITS = { sections: 6, topics: 5, stories: 5, models: 6, characters: 1_200 } as const;

export interface SinceLastVisit {
  since: string | null;
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
