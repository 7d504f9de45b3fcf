import { createContext } from 'svelte';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import type { ReportKind } from '../../../src-main/contract/model/report.ts';
import type { VisitList } from '../../../src-main/contract/model/today.ts';

/** The ways from the front page, and from the end of a report. */
export interface FrontActions {
  front: () => void;
  /** Opens a report, at the story with this key if there is one. */
  report: (kind: ReportKind, label: string, story?: string | null) => void;
  topic: (id: string) => void;
  topics: () => void;
  story: (publicId: string) => void;
  stories: () => void;
  model: (modelList: ModelListName, id: string) => void;
  modelChanges: () => void;
  /** Shows the unread items of Selected. */
  selected: () => void;
  /** Lists what was added, updated or withdrawn since the last visit. */
  visit: (which: VisitList) => void;
}

export const [frontActions, setFrontActions] = createContext<FrontActions>();
