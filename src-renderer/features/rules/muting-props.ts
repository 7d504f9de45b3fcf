import type { HidingRule } from '../../../src-main/contract/model/item.ts';

/** What an article says and offers about muting. */
export interface MutingProps {
  /** What can be muted at once. */
  actions: readonly { label: string; run: () => void }[];
  /** Shows where words can be muted. */
  onwords: () => void;
  /** The mute rules that hide the item: they stand in place of the menu. */
  hiddenBy: readonly HidingRule[] | undefined;
  /** Removes a rule. */
  onunmute: ((rule: HidingRule) => void) | undefined;
}
