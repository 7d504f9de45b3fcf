import { fireEvent, within } from '@testing-library/svelte';
import { expect } from 'vitest';
import type { SettingsSection } from '../../../src-main/contract/settings.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { openDialogs } from './page.ts';
import { settle } from './settle.ts';
import { waitFor } from './wait.ts';

/** A section of the settings, and what a user does there. */
export interface SettingsPage {
  app: AppState;
  /** A query by role in the whole page would take a second in each test. */
  panel(): HTMLElement;
  field(name: string | RegExp): HTMLInputElement;
  button(name: string | RegExp): HTMLButtonElement;
  click(name: string | RegExp): Promise<void>;
  /** Chooses a radio button, or switches a checkbox. */
  choose(name: string | RegExp): Promise<void>;
  type(name: string | RegExp, value: string): Promise<void>;
  says(text: string | RegExp): boolean;
}

export async function openSection(wire: Wire, section: SettingsSection): Promise<SettingsPage> {
  const app = await openDialogs(wire);
  app.openSettings(section);
  return dialogOf(app, 'dialog [role=tabpanel]');
}

export async function openShortcuts(wire: Wire): Promise<SettingsPage> {
  const app = await openDialogs(wire);
  app.panel = 'help';
  return dialogOf(app, 'dialog .help');
}

async function dialogOf(app: AppState, selector: string): Promise<SettingsPage> {
  const panel = (): HTMLElement => document.querySelector<HTMLElement>(selector)!;
  await waitFor(() => expect(panel()).not.toBeNull());
  await settle();
  const field: SettingsPage['field'] = (name) => within(panel()).getByLabelText(name);
  const button: SettingsPage['button'] = (name) => within(panel()).getByRole('button', { name });
  return {
    app,
    panel,
    field,
    button,
    async click(name) {
      await fireEvent.click(button(name));
      await settle();
    },
    async choose(name) {
      await fireEvent.click(field(name));
      await settle();
    },
    async type(name, value) {
      const input = field(name);
      await fireEvent.input(input, { target: { value } });
      await fireEvent.change(input, { target: { value } });
      await settle();
    },
    says: (text) => within(panel()).queryAllByText(text).length > 0,
  };
}
