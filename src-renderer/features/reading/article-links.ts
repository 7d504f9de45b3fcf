import type { FoldedReports, HidingRule, StoredItem } from '../../../src-main/contract/model/item.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';

/** The links and actions of an article. */
export interface ArticleLinks {
  /** The neighbours in the list; undefined at its ends, and without a list. */
  previous: StoredItem | undefined;
  next: StoredItem | undefined;
  /** False in a list of selected items, where the badge would be on all of them. */
  namesSelected: boolean;
  /** The reports that are folded into its row; undefined if there are none. */
  folded: FoldedReports | undefined;
  onfolded: () => void;
  /** Opens the next (1) or previous (-1) item. */
  onstep: (by: 1 | -1) => void;
  onmodel: (modelList: ModelListName, id: string) => void;
  onstory: (publicId: string) => void;
  /** Opens a hot topic by its id; null where there is no room for it. */
  ontopic: ((id: string) => void) | null;
  /** Returns the parts of an item that can be muted; null where nothing can. */
  mutes: ((item: StoredItem) => readonly { label: string; run: () => void }[]) | null;
  /** The mute rules that hide the item; undefined outside the list of hidden items. */
  hiddenBy?: readonly HidingRule[] | undefined;
  /** Removes a rule, so that its items are shown again. */
  onunmute?: (rule: HidingRule) => void;
  /** Shows the settings for muted words. */
  onmutewords: () => void;
  /** Replaces this item with another one. */
  onitem: (item: StoredItem) => void;
}
