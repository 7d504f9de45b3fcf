import type { MuteRules, SavedSearches } from '../../../contract/model/rules.ts';
import type { Store } from '../../../store/index.ts';
import type { EngineBodies } from '../types.ts';

interface MethodPorts {
  store: Store;
  /** Sends the events, and has saved items matched. */
  onChange(): void;
}

/** Methods that change saved searches and mute rules. Each answers when the rule is saved; items follow. */
export function ruleMethods({ store, onChange }: MethodPorts) {
  const { rules } = store.queries;
  const searches = (): SavedSearches => {
    onChange();
    return { searches: rules.saved(), progress: rules.progress() };
  };
  const mutes = (): MuteRules => {
    onChange();
    return { rules: rules.mutes(), progress: rules.progress() };
  };
  return {
    'saved.add': ({ name, query, notify = false, was }) => {
      const id = store.transaction((tx) => tx.rules.addSaved({ name, query, notify }, tx.now, was));
      return { id, ...searches() };
    },
    'saved.change': ({ id, ...change }) => {
      store.transaction((tx) => {
        tx.rules.changeSaved(id, change);
      });
      return searches();
    },
    'saved.move': ({ id, to }) => {
      store.transaction((tx) => {
        tx.rules.moveSaved(id, to);
      });
      return searches();
    },
    'saved.remove': ({ id }) => {
      store.transaction((tx) => tx.rules.removeSaved(id));
      return searches();
    },
    'mutes.add': ({ query, was }) => {
      const result = store.transaction((tx) => tx.rules.addMute(query, tx.now, was));
      return { ...result, ...mutes() };
    },
    'mutes.remove': ({ id }) => {
      store.transaction((tx) => tx.rules.removeMute(id));
      return mutes();
    },
  } satisfies Partial<EngineBodies>;
}
