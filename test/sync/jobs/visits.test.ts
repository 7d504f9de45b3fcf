import { describe, expect, it } from 'vitest';
import { openHouse, type House } from '../../support/test-app.ts';

const MINUTE = 60_000;
const sync = ({ call }: House, resources: ('items' | 'selected')[] = ['items', 'selected']) =>
  call('sync.run', { urgency: 'now', resources });

describe('the caught-up line', { timeout: 60_000 }, () => {
  it('begins to count with the first whole copy, which is not new itself', async () => {
    const house = await openHouse();
    expect(await house.call('visits.caughtUp', {})).toEqual({ since: null, added: 0, revised: 0, withdrawn: 0 });
    await sync(house);
    const nothing = { since: new Date(house.clock.now()).toISOString(), added: 0, revised: 0, withdrawn: 0 };
    expect(await house.call('visits.caughtUp', {})).toEqual(nothing);
    expect(house.heard('visits.changed')).toEqual([nothing]);
  });

  it('waits for both, the set and the list, before it counts', async () => {
    const house = await openHouse();
    await sync(house, ['selected']);
    expect(await house.call('visits.caughtUp', {})).toMatchObject({ since: null });
    expect(await house.call('visits.end', {})).toMatchObject({ since: null, added: 0 });
    await sync(house, ['items']);
    expect(await house.call('visits.caughtUp', {})).toMatchObject({ added: 0 });
    expect((await house.call('visits.caughtUp', {})).since).not.toBeNull();
  });

  it('tells exactly what the service did, with each list behind its number', async () => {
    const house = await openHouse();
    const { control } = house.service;
    await sync(house);
    house.clock.advance(MINUTE);
    const added = Array.from({ length: 12 }, (_, n) => control.addItem({ title: `New ${n}` }).id);
    const [first, second, third, gone] = control.selectedItems().filter(({ id }) => !added.includes(id));
    for (const { id } of [first!, second!, third!]) control.editItem(id, { title: `Put right: ${id}` });
    control.withdraw(gone!.id);
    await sync(house);
    expect(await house.call('visits.caughtUp', {})).toMatchObject({ added: 12, revised: 3, withdrawn: 1 });
    expect(house.heard('visits.changed').at(-1)).toMatchObject({ added: 12, revised: 3, withdrawn: 1 });
    const fresh = await house.call('visits.list', { which: 'added' });
    expect(fresh.rows.map(({ id }) => id).sort()).toEqual(added.sort());
    const revised = await house.call('visits.list', { which: 'revised' });
    expect(revised.rows.map(({ id }) => id).sort()).toEqual([first!, second!, third!].map(({ id }) => id).sort());
    const { withdrawals, rows } = await house.call('visits.list', { which: 'withdrawn' });
    expect(rows).toEqual([]);
    expect(withdrawals).toEqual([{ id: gone!.id, at: new Date(house.clock.now()).toISOString() }]);
    expect(JSON.stringify(withdrawals)).not.toContain(gone!.title);
    const { revisions } = await house.call('items.revisions', { id: first!.id });
    expect(revisions).toMatchObject([
      { fields: [{ field: 'title', before: first!.title, after: `Put right: ${first!.id}` }] },
    ]);
    expect(await house.reply('items.revisions', { id: gone!.id })).toMatchObject({ error: { code: 'not_found' } });
  });

  it('counts from where the reader says that he has caught up', async () => {
    const house = await openHouse({ folder: 'temporary' });
    await sync(house);
    house.service.control.addItem();
    await sync(house);
    house.clock.advance(MINUTE);
    const since = new Date(house.clock.now()).toISOString();
    expect(await house.call('visits.end', {})).toEqual({ since, added: 0, revised: 0, withdrawn: 0 });
    expect(house.heard('visits.changed').at(-1)).toMatchObject({ since });
    await house.reopen();
    expect(await house.call('visits.caughtUp', {})).toMatchObject({ since, added: 0 });
    house.service.control.addItem();
    await sync(house);
    expect(await house.call('visits.caughtUp', {})).toMatchObject({ since, added: 1 });
  });

  it('tells nothing where a round brought nothing', async () => {
    const house = await openHouse();
    await sync(house);
    house.events.length = 0;
    await sync(house);
    expect(house.heard('visits.changed')).toEqual([]);
  });
});
