import type { FoldedReports, HidingRule, StoredItem } from '../../../src-main/contract/model/item.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';

/** Where an article leads to. */
export interface ArticleLinks {
  /** The neighbours in the list; undefined where it ends, and without a list. */
  previous: StoredItem | undefined;
  next: StoredItem | undefined;
  /** Whether the badge says something: in a list of selected items, all of them are. */
  namesSelected: boolean;
  /** The reports that are folded into its row; undefined if there are none. */
  folded: FoldedReports | undefined;
  /** Lists them. */
  onfolded: () => void;
  /** Opens the next (1) or previous (-1) item. */
  onstep: (by: 1 | -1) => void;
  onmodel: (modelList: ModelListName, id: string) => void;
  onstory: (publicId: string) => void;
  /** Opens a hot topic by its id; null where there is no place for it. */
  ontopic: ((id: string) => void) | null;
  /** What of an item can be muted; null where nothing can. */
  mutes: ((item: StoredItem) => readonly { label: string; run: () => void }[]) | null;
  /** The mute rules that hide the item; undefined outside the list of hidden items. */
  hiddenBy?: readonly HidingRule[] | undefined;
  /** Removes a rule, so that what it hides is shown again. */
  onunmute?: (rule: HidingRule) => void;
  /** Shows where words can be muted. */
  onmutewords: () => void;
  /** Opens another item in place of this one. */
  onitem: (item: StoredItem) => void;
}
