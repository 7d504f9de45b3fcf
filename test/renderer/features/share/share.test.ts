import { fireEvent, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { markdownList, shareFormats, type Shared } from '../../../../src-renderer/features/share/shared.ts';
import { NOW, openCore } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

const SHARED: Shared = {
  title: 'A [new] model\nby *them*',
  link: 'https://a.example/x(1)',
  source: 'The Paper',
  date: '20 Nov 2026',
  text: 'First.\n\nSecond.',
};

describe('what is copied', () => {
  it('has the form that was asked for', () => {
    expect(shareFormats.link(SHARED)).toBe('https://a.example/x(1)');
    expect(shareFormats.titleAndLink(SHARED)).toBe('A [new] model by *them*\nhttps://a.example/x(1)');
    expect(shareFormats.citation(SHARED)).toBe(
      'The Paper, “A [new] model by *them*”, 20 Nov 2026, https://a.example/x(1)',
    );
    expect(shareFormats.text(SHARED)).toBe(
      'A [new] model by *them*\nThe Paper · 20 Nov 2026\n\nFirst.\n\nSecond.\n\nhttps://a.example/x(1)',
    );
  });

  it('is Markdown in which the texts of the service have no signs of their own', () => {
    expect(shareFormats.markdown(SHARED)).toBe(
      String.raw`[A \[new\] model by \*them\*](<https://a.example/x(1)>) · The Paper · 20 Nov 2026`,
    );
    expect(markdownList([SHARED, { ...SHARED, link: null, source: '', date: '' }])).toMatch(/\n- A \\\[new\\\] model/);
  });

  it('leaves out what is not known', () => {
    const bare = { ...SHARED, title: 'Bare', link: null, source: '', date: '', text: '' };
    expect(Object.values(shareFormats).map((format) => format(bare))).toEqual(['', 'Bare', 'Bare', '“Bare”', 'Bare']);
  });
});

describe('the Share button', () => {
  const open = async (): Promise<string[]> => {
    const copied: string[] = [];
    const clipboard = { writeText: async (text: string) => void copied.push(text) };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    const { app } = await openPage(await openCore({ items: [madeUpRow(0, NOW)] }));
    await app.navigation.showItem('item-0');
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'Share' }));
    return copied;
  };

  it('is the one place for copying, by keyboard too, and gives the focus back', async () => {
    const copied = await open();
    const entries = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(entries.slice(0, 5)).toEqual([
      'Copy link',
      'Copy title and link',
      'Copy as Markdown',
      'Copy citation',
      'Copy as plain text',
    ]);
    expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Copy link' }));
    await fireEvent.keyDown(document.activeElement!, { key: 'ArrowDown' });
    await clickOn(document.activeElement!);
    expect(copied[0]).toMatch(/^Title 0|\nhttps:/);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Share' }));
    expect(screen.queryByRole('button', { name: 'Copy link' })).toBeNull();
  });

  it('offers the share sheet of a system that has one', async () => {
    const shared: ShareData[] = [];
    Object.defineProperty(navigator, 'canShare', { configurable: true, value: () => true });
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: async (data: ShareData) => void shared.push(data),
    });
    await open();
    await fireEvent.click(screen.getByRole('menuitem', { name: /another app/ }));
    Reflect.deleteProperty(navigator, 'share');
    Reflect.deleteProperty(navigator, 'canShare');
    expect(shared[0]?.url).toMatch(/^https:/);
  });
});
