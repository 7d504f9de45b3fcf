import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import Checkbox from '../../../src-renderer/ui/controls/Checkbox.svelte';
import RadioList from '../../../src-renderer/ui/controls/RadioList.svelte';
import SegmentedControl from '../../../src-renderer/ui/controls/SegmentedControl.svelte';
import Select from '../../../src-renderer/ui/controls/Select.svelte';
import { clickOn } from '../support/reader.ts';
import { settle } from '../support/settle.ts';

const OPTIONS = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
];

/** A change that is refused later, and the function that refuses it. */
function refusedLater(): { onchange: () => Promise<void>; refuse: () => Promise<void> } {
  let end = (): void => undefined;
  const answered = new Promise<void>((resolve) => (end = resolve));
  return {
    onchange: () => answered,
    async refuse() {
      end();
      await settle();
    },
  };
}

describe('a control whose change is refused shows its value again', () => {
  it('a checkbox', async () => {
    const { onchange, refuse } = refusedLater();
    render(Checkbox, { label: 'Carry', checked: false, onchange });
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Carry' });
    await clickOn(box);
    // Until then it shows what was chosen.
    expect(box.checked).toBe(true);
    await refuse();
    expect(box.checked).toBe(false);
  });

  it.each([
    ['a list of radio buttons', RadioList],
    ['a segmented control', SegmentedControl],
  ])('%s', async (_name, control) => {
    const { onchange, refuse } = refusedLater();
    render(control, { legend: 'Since', name: 'since', options: OPTIONS, value: 'day', onchange });
    const checked = (): string[] =>
      screen.getAllByRole<HTMLInputElement>('radio', { checked: true }).map(({ value }) => value);
    await clickOn(screen.getByRole('radio', { name: 'Week' }));
    expect(checked()).toEqual(['week']);
    await refuse();
    expect(checked()).toEqual(['day']);
  });

  it('a select', async () => {
    const { onchange, refuse } = refusedLater();
    render(Select, { label: 'Since', options: OPTIONS, value: 'day', onchange });
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Since' });
    await fireEvent.change(select, { target: { value: 'week' } });
    await settle();
    expect(select.value).toBe('week');
    await refuse();
    expect(select.value).toBe('day');
  });

  it('also where the change is not saved at all', async () => {
    render(Checkbox, { label: 'Carry', checked: false, onchange: () => undefined });
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Carry' });
    await clickOn(box);
    expect(box.checked).toBe(false);
  });
});

it('a control whose change is accepted keeps it', async () => {
  const onchange = (checked: boolean): Promise<void> => page.rerender({ checked });
  const page = render(Checkbox, { label: 'Carry', checked: false, onchange });
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Carry' });
  await clickOn(box);
  expect(box.checked).toBe(true);
});
