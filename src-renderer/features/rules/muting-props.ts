import type { HidingRule } from '../../../src-main/contract/model/item.ts';

/** State and actions for muting in an article. */
export interface MutingProps {
  /** Actions that mute at once. */
  actions: readonly { label: string; run: () => void }[];
  /** Shows the settings for muted words. */
  onwords: () => void;
  /** The mute rules that hide the item: they replace the menu. */
  hiddenBy: readonly HidingRule[] | undefined;
  onunmute: ((rule: HidingRule) => void) | undefined;
}
