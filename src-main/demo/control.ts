import type { DemoGateway } from './gateway.ts';
import type { DemoControl, ItemPatch, ServedItem } from './options.ts';
import { backfilledRecord } from './harsh.ts';
import { patchRecord, type DemoRecord } from './record.ts';
import { withoutReason } from './resources/selected.ts';
import type { DemoState } from './state.ts';

export function controlOf(state: DemoState, gateway: DemoGateway): DemoControl {
  const { odd } = state;
  const current = (): DemoState => {
    state.advance();
    return state;
  };
  const existing = (id: string): DemoRecord => {
    const record = current().itemIndex.get(id);
    if (!record) throw new Error(`The demo service never had an item ${id}.`);
    return record;
  };
  return {
    addItem: (fields = {}) => state.serve(current().add(fields)),
    editItem: (id, patch) => edit(state, existing(id), patch),
    withdraw: (id) => current().withdraw(id),
    restore: (id) => {
      const record = existing(id);
      Object.assign(record, { withdrawn: false, markedSelected: true, selected: true });
      state.recordChange(record);
      return state.serve(record);
    },
    dropSilently: (id) => {
      existing(id).withdrawn = true;
      state.itemIndex.refreshSelected();
    },
    leaveSet: (id, marked = true) => {
      const record = existing(id);
      state.leaveSet(record, marked);
      return state.serve(record);
    },
    backfill: (count) => {
      const now = current().now();
      // Below zero, because the items of the fixed content have the numbers from 0.
      const records = Array.from({ length: count }, () => backfilledRecord(state.seed, -state.nextNumber(), now));
      for (const record of records) state.insert(record);
      return records.map((record) => state.serve(record)).sort(latestFirst);
    },
    failAt: (path, failure) => void state.failures.set(path, failure),
    shrinkSnapshots: (value, left = 1) => void (odd.snapshots = { value, left }),
    refuse: (value, left = 1) => void (odd.refusals = { value, left }),
    weighDown: (items, bytes) => {
      const newest = current().itemIndex.listDiscovered().slice(-items);
      for (const record of newest) edit(state, record, { summary: 'x'.repeat(Math.ceil(bytes / newest.length)) });
    },
    movePages: (address) => state.movePages(address),
    requireSnapshot: () => state.changeLog.startNewEpoch(),
    selectedItems: () =>
      current()
        .itemIndex.listSelected()
        .map((record) => withoutReason(state.serve(record))),
    allItems: () =>
      current()
        .itemIndex.listDiscovered()
        .map((record) => state.serve(record))
        .reverse(),
    correctDaily: (date, patch) => {
      state.corrections.set(date, { ...state.corrections.get(date), ...patch });
    },
    // Copies, so that only the control can change what is served.
    models: (list) => structuredClone([...gateway.current(list)]),
    addModel: (list, fields = {}) => structuredClone(gateway.add(list, fields)),
    editModel: (list, id, patch) => structuredClone(gateway.edit(list, id, patch)),
    removeModel: (list, id) => gateway.remove(list, id),
  };
}

function latestFirst(a: ServedItem, b: ServedItem): number {
  return (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '');
}

function edit(state: DemoState, record: DemoRecord, patch: ItemPatch): ServedItem {
  patchRecord(record, patch);
  if (typeof patch.selected === 'boolean' && patch.selected !== record.selected) {
    Object.assign(record, { markedSelected: patch.selected, selected: patch.selected });
    if (!patch.selected) state.changeLog.append({ op: 'remove', id: record.id, changedAt: state.now() });
  }
  state.recordChange(record);
  return state.serve(record);
}
