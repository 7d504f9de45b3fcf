import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { sentencesOf } from '../../../../src-renderer/features/listen/speaker.ts';
import { NEWS, NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { MadeUpVoices } from '../../support/made-up-voices.ts';
import { openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { openOn } from '../../support/shown-view.ts';

const BOTH = [{ lang: 'en-GB' }, { lang: 'zh_CN' }];
const UNREAD = { readAt: null, starredAt: null };

/** Two English items with a Chinese one between them. */
async function openItems() {
  const items = [0, 1, 2].map((n) => madeUpRow(n, NOW, { inSelectedSet: true, state: UNREAD }));
  const wire = await openCore({ items });
  const { app } = await openPage(wire);
  return { wire, app };
}

const bar = (): HTMLElement => screen.getByRole('region', { name: 'Listening' });
const isRead = async (wire: CoreWire, n: number): Promise<boolean> => (await wire.stateOf(`item-${n}`)).readAt !== null;

async function press(name: string): Promise<void> {
  await clickOn(within(bar()).getByRole('button', { name }));
}

describe('an article', () => {
  it('is read aloud sentence by sentence, by the system’s voice of its language on this computer', async () => {
    const remote = { localService: false, default: true };
    const voices = new MadeUpVoices([{ lang: 'zh-CN', ...remote }, { lang: 'en-US', ...remote }, ...BOTH]);
    const { app, wire } = await openItems();
    app.listenTo.item(wire.rows[0]!);
    await settle();
    expect(bar().textContent).toContain(wire.rows[0]!.title);
    await voices.endUntil();
    expect(voices.said.map(([text]) => text).join(' ')).toBe(`${wire.rows[0]!.title} ${wire.rows[0]!.summary}`);
    expect(new Set(voices.said.map(([, lang]) => lang))).toEqual(new Set(['en-GB']));
    expect(screen.queryByRole('region', { name: 'Listening' })).toBeNull();
    app.listenTo.item(wire.rows[1]!);
    await settle();
    expect(voices.said.at(-1)?.[1]).toBe('zh_CN');
  });

  it('goes on after a pause, and at another speed, with the sentence in which it stopped', async () => {
    const voices = new MadeUpVoices(BOTH);
    const { app, wire } = await openItems();
    app.listenTo.item(wire.rows[0]!);
    await settle();
    await voices.endSentence();
    const stopped = voices.sentence;
    await press('Pause');
    expect(voices.sentence).toBeNull();
    await press('Go on');
    expect(voices.sentence).toBe(stopped);
    await fireEvent.change(within(bar()).getByRole('combobox', { name: 'Speed' }), { target: { value: '1.5' } });
    await settle();
    expect(wire.settings.listenSpeed).toBe(1.5);
    expect(voices.said.at(-1)).toEqual([stopped, 'en-GB', 1.5]);
  });

  it('without a voice of its language says what is missing', async () => {
    new MadeUpVoices([{ lang: 'fr-FR' }]);
    const { app, wire } = await openItems();
    app.listenTo.item(wire.rows[0]!);
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'No voice installed' }));
    expect(dialog.queryAllByText(/^This computer has no voice for (English|Chinese)\.$/)).toHaveLength(1);
    const command = dialog.getByText('sudo apt install speech-dispatcher-espeak-ng');
    const writeText = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    await clickOn(within(command.parentElement!).getByRole('button', { name: 'Copy' }));
    expect(writeText).toHaveBeenCalledWith(command.textContent);
    expect(dialog.queryAllByRole('button', { name: 'Copied' })).toHaveLength(1);
    expect(screen.queryByRole('region', { name: 'Listening' })).toBeNull();
  });

  it('is given up when the system stays silent', async () => {
    const voices = new MadeUpVoices(BOTH);
    voices.isMute = true;
    const { app, wire } = await openItems();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    app.listenTo.item(wire.rows[0]!);
    await settle();
    vi.advanceTimersByTime(5_000);
    await settle();
    vi.useRealTimers();
    expect(screen.queryAllByText(/didn’t answer/)).toHaveLength(1);
  });
});

describe('the unread items', () => {
  it('are opened and read aloud one after another, and count as read', async () => {
    const voices = new MadeUpVoices(BOTH);
    const { app, wire } = await openItems();
    app.listenTo.unread();
    await settle();
    for (const n of [0, 1, 2]) {
      expect(app.reading.item?.id).toBe(`item-${n}`);
      await voices.endUntil((sentence) => wire.rows.some(({ title }, at) => at > n && title === sentence));
    }
    expect(voices.sentence).toBeNull();
    expect([await isRead(wire, 0), await isRead(wire, 1), await isRead(wire, 2)]).toEqual([true, true, true]);
  });

  it('are left for the next one and the one before', async () => {
    const voices = new MadeUpVoices(BOTH);
    const { app, wire } = await openItems();
    app.listenTo.unread();
    await settle();
    await press('Next');
    expect(voices.sentence).toBe(wire.rows[1]!.title);
    await press('Previous');
    expect(voices.sentence).toBe(wire.rows[0]!.title);
    await press('Stop listening');
    expect(voices.sentence).toBeNull();
  });
});

describe('the daily', () => {
  it('is read aloud from its opening, then from the first unread story to its end; only what was heard is read', async () => {
    const voices = new MadeUpVoices(BOTH);
    const { app } = await openOn(NEWS, { withoutRows: true });
    app.listenTo.daily();
    await settle();
    const { walk } = app.archive;
    expect(voices.sentence).toContain(sentencesOf([walk.report!.headline ?? ''])[0] ?? '');
    await press('Next');
    await press('Next');
    expect(voices.said.length).toBeGreaterThan(2);
    expect(walk.length!.read).toBe(0);
    await press('Stop listening');
    await walk.markStories([walk.stories[0]!.key!], true);
    await settle();
    app.listenTo.report();
    await settle();
    expect(walk.stories[1]!.title).toContain(voices.sentence);
    await voices.endUntil();
    await settle();
    expect([walk.length!.unread, walk.place]).toEqual([0, 'end']);
  });
});
