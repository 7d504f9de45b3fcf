import { m } from '../../../../src-main/common/i18n/messages.ts';
import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { Gateway, GatewaySource, KeyState } from '../../../../src-main/contract/model/model.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { openCore, type CoreWire } from '../../support/core.ts';
import { openDialogs } from '../../support/page.ts';
import { clickOn, keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

const KEY = 'mk-3f9a7c51-sesame-8801';
const ORIGIN = 'https://gateway.example';
const SOURCE: GatewaySource = { address: ORIGIN, demo: false, from: 'settings' };
const NO_KEY: KeyState = {
  from: null,
  lastFour: null,
  origin: null,
  inUse: false,
  unused: null,
  keeping: 'thisRun',
  keepingReason: 'host',
};
const HELD: KeyState = { ...NO_KEY, from: 'thisRun', lastFour: '8801', origin: ORIGIN, inUse: true };

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  wire = await openCore();
});

const failure = (code: Failure['code']): Failure => ({ code, message: 'as told', retryable: false });
/** The gateway's part of the settings. A query by role in the whole page would take a second in each test. */
const panel = (): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('dialog [role=tabpanel] section')].find(
    (section) => section.querySelector('h3')?.textContent === m.settings_models(),
  )!;
const field = (): HTMLInputElement => within(panel()).getByLabelText(/^(New key|Key)$/);
const button = (name: string): HTMLElement => within(panel()).getByRole('button', { name });

/** Opens the models section with a gateway key in this state. */
async function open(key: KeyState = NO_KEY, source: GatewaySource | null = SOURCE): Promise<void> {
  change(source, key);
  app = await openDialogs(wire);
  await openModels();
}

/** From now on, the core has this gateway and key. */
function change(source: GatewaySource | null, key: KeyState): Gateway {
  const gateway = { source, key };
  wire.answer('gateway.get', () => gateway);
  return gateway;
}

async function openModels(): Promise<void> {
  app.openSettings('general');
  await waitFor(() => expect(panel()).toBeDefined());
  await settle();
}

async function enter(key: string): Promise<void> {
  await fireEvent.input(field(), { target: { value: key } });
  await clickOn(button('Save and test'));
}

function refuse(code: Failure['code'], kept = false): void {
  const gateway = { source: SOURCE, key: kept ? HELD : NO_KEY };
  wire.answer('gateway.setKey', () => ({ gateway, kept, failure: failure(code) }));
}

/** Every text on the page: markup, field values, storage, and the state of the page. */
function traces(text: string): string[] {
  const fields = [...document.querySelectorAll('input')].map(({ value }) => value);
  const states = JSON.stringify([app.live.get('gateway.get', {}).value, app.settings.current, app.toasts.note]);
  const stored = [localStorage, sessionStorage].map((storage) => JSON.stringify(Object.entries(storage)));
  return [document.documentElement.outerHTML, ...fields, states, ...stored].filter((place) => place.includes(text));
}

describe('the key', () => {
  it('is typed into a field that neither shows nor remembers it, and cleared when it is refused or left', async () => {
    await open();
    expect(field().type).toBe('password');
    expect(field().getAttribute('autocomplete')).toBe('off');
    expect(field().getAttribute('spellcheck')).toBe('false');
    expect(button('Save and test')).toHaveProperty('disabled', true);
    for (const [code, words] of [
      ['unauthorized', /This key isn’t valid/],
      ['forbidden', /Use a management key/],
      ['key_not_sent', /must begin with https:\/\/ or be on this computer/],
      ['internal', /Something went wrong in Broadsheet/],
    ] as const) {
      refuse(code);
      await enter(KEY);
      expect(panel().textContent).toMatch(words);
      expect(panel().textContent).toContain('The key wasn’t saved');
      expect([field().value, document.activeElement]).toEqual(['', field()]);
      expect(traces(KEY)).toEqual([]);
    }
    wire.failing.set('gateway.setKey', failure('invalid_argument'));
    await enter('a key with spaces');
    expect(panel().textContent).toContain('no spaces');
    expect(traces('a key with spaces')).toEqual([]);
    const typed = field();
    await fireEvent.input(typed, { target: { value: KEY } });
    await clickOn(screen.getByRole('tab', { name: 'Advanced' }));
    expect(typed.value).toBe('');
    expect(typed.isConnected).toBe(false);
  });

  it('that is there is replaced in a form that opens by a button, also by one that could not be tried', async () => {
    await open(HELD);
    expect(panel().querySelector('input[type=password]')).toBeNull();
    await clickOn(button('Change key'));
    expect(document.activeElement).toBe(field());
    wire.answer('gateway.setKey', () => ({ gateway: change(SOURCE, HELD), kept: true, failure: null }));
    await enter(KEY);
    expect(panel().textContent).toContain('The key works.');
    expect(document.activeElement).toBe(button('Change key'));
    await clickOn(button('Change key'));
    refuse('timeout', true);
    await enter(KEY);
    expect(panel().textContent).toMatch(/saved, but it couldn’t be tested:\s*The server took too long/);
  });
});

describe('the status of the key', () => {
  it('follows the core, in words, also in Chinese', async () => {
    await open();
    const states: [changes: Partial<KeyState>, words: RegExp][] = [
      [{ from: 'keychain', keeping: 'keychain', keepingReason: null }, /…8801 Saved in the system/],
      [{}, /until you quit( and sent only to this address)?\. Browsers can’t keep keys/],
      [{ keepingReason: 'plainText' }, /computer has no keychain/],
      [{ keepingReason: 'unavailable' }, /isn’t available now/],
      [{ from: 'environment' }, /Set by BROADSHEET_MODELS_KEY/],
      [{ lastFour: null }, /too short to show in part/],
      [{}, /Sent only to https:\/\/gateway\.example\./],
      [{ inUse: false, unused: 'insecure' }, /Not sent: the address must begin with https/],
      [NO_KEY, /No key yet/],
    ];
    for (const [changes, words] of states) {
      wire.emit('gateway.changed', change(SOURCE, { ...HELD, ...changes }));
      await settle();
      expect(panel().textContent.replace(/\s+/g, ' ')).toMatch(words);
    }
    wire.emit('gateway.changed', change(SOURCE, HELD));
    await app.settings.set({ language: 'zh-CN' });
    await settle();
    expect(panel().textContent).toContain('密钥以 …8801 结尾');
    await app.settings.set({ language: 'en' });
  });

  it('asks before the key is used for another origin, which may refuse it', async () => {
    const key = { ...HELD, origin: 'https://old.example', inUse: false, unused: 'otherOrigin' } as const;
    await open(key);
    expect(panel().textContent).toContain(
      'This key was saved for https://old.example. Use it for https://gateway.example too?',
    );
    expect(panel().textContent).not.toContain('Sent only to');
    wire.answer('gateway.allowKey', () => ({
      gateway: { source: SOURCE, key },
      kept: false,
      failure: failure('unauthorized'),
    }));
    await clickOn(button('Use key'));
    expect(panel().textContent).toMatch(/This key isn’t valid\.\s*The key isn’t used for the new address\./);
    expect(button('Use key')).toHaveProperty('disabled', false);

    wire.answer('gateway.allowKey', () => ({ gateway: change(SOURCE, HELD), kept: true, failure: null }));
    await clickOn(button('Use key'));
    expect(wire.argsOf('gateway.allowKey')).toHaveLength(2);
    expect(panel().textContent).toContain('The key works.');
    expect(within(panel()).queryByRole('button', { name: 'Use key' })).toBeNull();
  });
});

describe('the gateway', () => {
  it('takes no key where it is built in, or is not set yet, and no address where an option has set it', async () => {
    await open({ ...NO_KEY, from: 'demo', inUse: true }, { ...SOURCE, demo: true, from: 'demo' });
    expect(panel().textContent).toContain('they need no key');
    expect(panel().querySelector('input[type=password]')).toBeNull();
    wire.emit('gateway.changed', change(null, NO_KEY));
    await settle();
    expect(panel().textContent).toContain('Save this address, then enter a key');
    expect(panel().querySelector('input[type=password]')).toBeNull();
    wire.emit('gateway.changed', change({ ...SOURCE, from: 'option' }, NO_KEY));
    await settle();
    const address = within(panel()).getByLabelText<HTMLInputElement>('Address');
    expect([address.disabled, address.value]).toEqual([true, ORIGIN]);
    expect(panel().textContent).toContain('--models');
  });
});

describe('the sections of the settings', () => {
  const tabs = (): HTMLElement[] => screen.getAllByRole('tab');

  it('are reached with the arrow keys, and one of them is a tab stop', async () => {
    await open();
    const shown = (): string[] =>
      tabs()
        .filter((tab) => tab.ariaSelected === 'true')
        .map(({ textContent }) => textContent);
    const names = ['General', 'Appearance', 'Notifications', 'Sync and data', 'Advanced'];
    expect(tabs().map(({ textContent }) => textContent)).toEqual(names);
    for (const [key, name] of [
      ['ArrowRight', 'Appearance'],
      ['End', 'Advanced'],
      ['ArrowRight', 'General'],
      ['ArrowLeft', 'Advanced'],
      ['Home', 'General'],
    ] as const) {
      await keyDown(document.activeElement?.role === 'tab' ? document.activeElement : tabs()[0]!, { key });
      expect([shown(), document.activeElement?.textContent]).toEqual([[name], name]);
      expect(screen.getAllByRole('tabpanel', { name })).toHaveLength(1);
    }
    expect(tabs().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1, -1]);
  });
});
