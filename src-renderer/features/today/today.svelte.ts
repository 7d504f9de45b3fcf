import { createContext } from 'svelte';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Ref } from '../../../src-main/contract/refs.ts';
import type { Today } from '../../../src-main/contract/model/today.ts';
import { Latest, type Changes, type LiveAnswers } from '../../api/live.ts';
import type { FocusRegions } from '../../ui/focus-regions.ts';
import type { Act, PageHistory } from '../../ui/page-context.ts';
import { markItems } from '../feed/index.ts';
import { leadOf } from './lead.ts';

/** In ms: the core needs to know of the reader's presence to the hour. */
const ARRIVES_EVERY = 5 * 60_000;
const STARTED: Changes = { 'today.get': (today) => ({ ...today, away: null }) };

interface Ports {
  live: LiveAnswers;
  act: Act;
  focus: FocusRegions;
  history: PageHistory;
  open: (ref: Ref, story: string | null) => void;
  openFollowed: (publicId: string) => void;
}

/** Today's page: what it has, the walk through its headlines, and the return from a holiday. */
export class TodayState {
  readonly #ports: Ports;
  readonly answer: Latest<'today.get'>;
  #arrivedAt = -Infinity;
  /** The headline that had the focus last. */
  #row: HTMLElement | null = null;

  constructor(ports: Ports) {
    this.#ports = ports;
    const { live, focus, history } = ports;
    this.answer = new Latest(() => (history.view === 'today' ? live.get('today.get', {}) : null));
    focus.list('today', () => {
      const row = this.#rows.find((one) => one === this.#row);
      if (row) row.focus({ preventScroll: true });
      else focus.focus('today', 'text');
    });
  }

  /** Resolves when it is read. */
  load(): Promise<void> {
    return this.#ports.live.get('today.get', {}).ready();
  }

  /** Notes that the reader is here. */
  arrive(): void {
    if (Date.now() - this.#arrivedAt < ARRIVES_EVERY) return;
    this.#arrivedAt = Date.now();
    void this.#ports.live.call('visits.begin', {});
  }

  /** Opens a page from a headline, which has the focus again when the reader comes back. */
  open(ref: Ref, story: string | null = null): void {
    const { activeElement } = document;
    this.#row = this.#rows.find((row) => row === activeElement) ?? null;
    this.#show(ref, story);
  }

  #show(ref: Ref, story: string | null): void {
    if (ref.view === 'story' && this.#isFollowed(ref.publicId)) this.#ports.openFollowed(ref.publicId);
    else this.#ports.open(ref, story);
  }

  #isFollowed(id: string): boolean {
    const { stories = [], quiet } = this.answer.value ?? {};
    return [...stories, ...(quiet?.stories ?? [])].some(({ publicId }) => publicId === id);
  }

  /** Opens the daily that was read last, where the reader stopped. Returns false if there is none. */
  openDaily(): boolean {
    const daily = this.#ports.live.get('today.get', {}).value?.daily;
    if (!daily) return false;
    const story = daily.read > 0 ? daily.next?.key : null;
    this.#ports.open({ view: 'report', kind: 'daily', label: daily.label }, story ?? null);
    return true;
  }

  /** Focuses the next (1) or previous (-1) headline. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    const rows = this.#rows;
    const at = rows.findIndex((row) => row === document.activeElement);
    const target = at < 0 && by === -1 ? undefined : rows[at + by];
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'nearest' });
    return target !== undefined;
  }

  /** Opens what is to be read next. Returns false if there is nothing. */
  stepUnread(): boolean {
    const today = this.answer.value;
    const lead = today && leadOf(today);
    if (lead) this.#show(lead.ref, lead.story);
    return lead !== null;
  }

  /** Marks what is older than today as read, and ends the return from a holiday. Undo takes back both. */
  async startFresh({ older: { below, watermark } }: NonNullable<Today['away']>): Promise<void> {
    const { live, act, focus } = this.#ports;
    const query = { scope: 'all', window: 'any', state: 'any' } as const;
    const reply = await act({
      what: ({ changed }) => m.list_marked_read({ count: changed }),
      // The lists, which no reader sees now, are read again.
      call: () =>
        markItems(live, { action: 'read', isMarked: () => false }, 'items.markAllRead', { query, below, watermark }),
      takeBack: async ({ takeBack }) => {
        void live.call('visits.begin', { fresh: false });
        return (await takeBack?.()) ?? null;
      },
      undone: ({ restored }) => m.list_marked_unread({ count: restored }),
      bulk: true,
      tell: 'toast',
    });
    if (!reply.ok) return;
    await live.change(STARTED, 'visits.begin', { fresh: true });
    focus.focusList('today');
  }

  get #rows(): HTMLElement[] {
    return [...(this.#ports.focus.element('today', 'list')?.querySelectorAll<HTMLElement>('[data-headline]') ?? [])];
  }
}

export const [todayContext, setTodayContext] = createContext<TodayState>();
