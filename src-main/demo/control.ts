import type { DemoGateway } from './model-catalogue/gateway.ts';
import type { DemoControl, ItemPatch, ServedItem } from './options.ts';
import { patchRecord } from './record.ts';
import type { DemoRecord } from './record.ts';
import { withoutReason } from './resources/selected.ts';
import type { DemoState } from './state.ts';

/** The hand that tests lay on the service. */
export function controlOf(state: DemoState, gateway: DemoGateway): DemoControl {
  return { ...newsControl(state), ...modelsControl(gateway) };
}

type ModelsControl = Pick<DemoControl, 'models' | 'addModel' | 'editModel' | 'removeModel' | 'pageSize'>;

/** What it hands out are copies: nothing but the control changes what is served. */
function modelsControl(gateway: DemoGateway): ModelsControl {
  return {
    models: (listing) => structuredClone([...gateway.served(listing)]),
    addModel: (listing, fields = {}) => structuredClone(gateway.add(listing, fields)),
    editModel: (listing, id, patch) => structuredClone(gateway.edit(listing, id, patch)),
    removeModel: (listing, id) => gateway.remove(listing, id),
    pageSize: (models) => {
      gateway.pageSize = models;
    },
  };
}

function newsControl(state: DemoState): Omit<DemoControl, keyof ModelsControl> {
  const held = (id: string): DemoRecord => {
    state.advance();
    const record = state.itemIndex.get(id);
    if (!record) throw new Error(`The demo service never had an item ${id}.`);
    return record;
  };
  return {
    addItem: (fields = {}) => {
      state.advance();
      return state.served(state.add(fields));
    },
    editItem: (id, patch) => edit(state, held(id), patch),
    withdraw: (id) => {
      state.advance();
      state.withdraw(id);
    },
    restore: (id) => {
      const record = held(id);
      Object.assign(record, { withdrawn: false, markedSelected: true, selected: true });
      state.changed(record);
      return state.served(record);
    },
    dropSilently: (id) => {
      held(id).withdrawn = true;
      state.itemIndex.touch();
    },
    requireSnapshot: () => state.changeLog.startNewEpoch(),
    selectedItems: () => {
      state.advance();
      return state.itemIndex.selected().map((record) => withoutReason(state.served(record)));
    },
    allItems: () => {
      state.advance();
      return state.itemIndex
        .discovered(-Infinity)
        .map((record) => state.served(record))
        .reverse();
    },
    correctDaily: (date, patch) => {
      state.corrections.set(date, { ...state.corrections.get(date), ...patch });
    },
  };
}

function edit(state: DemoState, record: DemoRecord, patch: ItemPatch): ServedItem {
  patchRecord(record, patch);
  if (typeof patch.selected === 'boolean' && patch.selected !== record.selected) {
    Object.assign(record, { markedSelected: patch.selected, selected: patch.selected });
    if (!patch.selected) state.changeLog.append({ op: 'remove', id: record.id, changedAt: state.now() });
  }
  state.changed(record);
  return state.served(record);
}
