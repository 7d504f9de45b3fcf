import type { DemoGateway } from './catalogue/gateway.ts';
import type { DemoControl, ItemPatch, ServedItem } from './options.ts';
import { patchRecord } from './record.ts';
import type { DemoRecord } from './record.ts';
import { withoutReason } from './resources/selected.ts';
import type { World } from './world.ts';

/** The hand that tests lay on the service. */
export function controlOf(world: World, gateway: DemoGateway): DemoControl {
  return { ...newsControl(world), ...modelsControl(gateway) };
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

function newsControl(world: World): Omit<DemoControl, keyof ModelsControl> {
  const held = (id: string): DemoRecord => {
    world.advance();
    const record = world.shelf.get(id);
    if (!record) throw new Error(`The demo service never had an item ${id}.`);
    return record;
  };
  return {
    addItem: (fields = {}) => {
      world.advance();
      return world.served(world.add(fields));
    },
    editItem: (id, patch) => edit(world, held(id), patch),
    withdraw: (id) => {
      world.advance();
      world.withdraw(id);
    },
    restore: (id) => {
      const record = held(id);
      Object.assign(record, { withdrawn: false, selected: true, seated: true });
      world.changed(record);
      return world.served(record);
    },
    dropSilently: (id) => {
      held(id).withdrawn = true;
      world.shelf.touch();
    },
    requireSnapshot: () => world.ledger.startNewEpoch(),
    selectedItems: () => {
      world.advance();
      return world.shelf.selected().map((record) => withoutReason(world.served(record)));
    },
    allItems: () => {
      world.advance();
      return world.shelf
        .discovered(-Infinity)
        .map((record) => world.served(record))
        .reverse();
    },
    correctDaily: (date, patch) => {
      world.corrections.set(date, { ...world.corrections.get(date), ...patch });
    },
  };
}

function edit(world: World, record: DemoRecord, patch: ItemPatch): ServedItem {
  patchRecord(record, patch);
  if (typeof patch.selected === 'boolean' && patch.selected !== record.seated) {
    Object.assign(record, { selected: patch.selected, seated: patch.selected });
    if (!patch.selected) world.ledger.write({ op: 'remove', id: record.id, changedAt: world.now() });
  }
  world.changed(record);
  return world.served(record);
}
