import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { m } from '../../../../src-main/common/i18n/messages.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

const UNREACHABLE = { code: 'unreachable', message: 'Nobody answers.', retryable: true } as const;

const welcome = () => within(screen.getByRole('dialog', { name: 'Welcome to Broadsheet' }));

async function click(name: string): Promise<void> {
  await clickOn(welcome().getByRole('button', { name }));
}

async function openFresh(): Promise<CoreWire> {
  const wire = await openCore({ items: [madeUpRow(0, NOW)], settings: { welcomed: false } });
  await openPage(wire);
  await settle();
  return wire;
}

async function connect(address: string): Promise<void> {
  await fireEvent.input(welcome().getByRole('textbox', { name: 'Connect a news service' }), {
    target: { value: address },
  });
  await click('Connect');
}

describe('the welcome', () => {
  it('says in at most fifteen words what Broadsheet is, asks nothing, and ends with its one main action', async () => {
    const wire = await openFresh();
    expect(m.welcome_what().split(' ').length).toBeLessThanOrEqual(15);
    expect(welcome().queryAllByText(m.welcome_what())).toHaveLength(1);
    expect(welcome().queryAllByRole('radio')).toEqual([]);
    expect(document.querySelectorAll('dialog .button.main')).toHaveLength(1);
    await click('Read the demo');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(wire.settings.welcomed).toBe(true);
    await fireEvent.keyDown(window, { key: '?' });
    await clickOn(await screen.findByRole('button', { name: 'Show the welcome again' }));
    expect(welcome().queryAllByText(m.welcome_what())).toHaveLength(1);
  });

  it('offers no demo to somebody who has connected a service', async () => {
    const wire = await openFresh();
    const { source } = await wire.ask('sync.status', {});
    await wire.setStatus({ source: { ...source, demo: false, from: 'settings' } });
    await settle();
    expect(welcome().queryByRole('button', { name: 'Read the demo' })).toBeNull();
    await wire.setStatus({ source: { ...source, demo: false, from: 'environment' } });
    await settle();
    expect(welcome().queryByRole('textbox')).toBeNull();
    await click('Start reading');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('tests an address, which needs no https://, saves it, and ends, unless one of these fails', async () => {
    const wire = await openFresh();
    const before = wire.settings.newsAddress;
    wire.failing.set('source.test', UNREACHABLE);
    await connect('nobody.example');
    expect(welcome().getByRole('status').textContent).not.toBe('');
    expect(wire.settings).toMatchObject({ newsAddress: before, welcomed: false });
    const field = welcome().getByRole<HTMLInputElement>('textbox', { name: 'Connect a news service' });
    expect(field.value).toBe('nobody.example');
    // Another address is another attempt.
    await fireEvent.input(field, { target: { value: 'somebody.example' } });
    expect(welcome().getByRole('status').textContent).toBe('');
    wire.failing.clear();
    wire.answer('source.test', () => ({ items: 1 }));
    wire.failing.set('settings.set', { code: 'disk_full', message: '', retryable: true });
    await connect('news.example');
    expect(welcome().getByRole('status').textContent).toContain('disk is full');

    wire.failing.clear();
    await connect(' news.example ');
    expect(wire.argsOf('source.test').at(-1)).toEqual({ address: 'https://news.example' });
    expect(wire.settings.newsAddress).toBe('https://news.example');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(wire.settings.welcomed).toBe(true);
  });
  it('asks no service at what is no address of one', async () => {
    const wire = await openFresh();
    const no = ['no address', 'ftp://news.example', 'https://news.example/?q=1', 'https://me:secret@news.example'];
    for (const address of no) {
      await connect(address);
      expect([address, wire.argsOf('source.test')]).toEqual([address, []]);
      expect(welcome().getByRole('alert').textContent).toContain('Enter a web address');
      await fireEvent.input(welcome().getByRole('textbox'), { target: { value: '' } });
      expect([address, welcome().queryByRole('alert')?.textContent ?? '']).toEqual([address, '']);
    }
  });
});
