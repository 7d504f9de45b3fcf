import { m } from '../../src-main/common/i18n/messages.ts';
import { relativeTime } from '../../src-main/common/time-text.ts';
import { instant } from '../../src-main/common/time.ts';
import { hasFailed, type SyncState } from '../features/sync-status/index.ts';
import { language } from '../ui/language.svelte.ts';
import type { Clock, Connection } from '../ui/page-context.ts';

/** Returns the state of the connection to the news service and the actions for it, for views. */
export function connectionOf(
  sync: SyncState,
  clock: Clock,
  problems: { met: boolean },
  { openSettings, useDemo }: { openSettings: () => void; useDemo: () => void },
): Connection {
  return {
    get offline() {
      return sync.offline;
    },
    get offlineText() {
      const address = this.address ?? m.sync_demo_service();
      const last = instant(this.lastSuccessAt);
      const isHere = !navigator.onLine;
      if (last === null) return this.failureTitle;
      const age = relativeTime(last, clock.now, language.dateLocale);
      return isHere ? m.sync_offline_banner({ age }) : m.sync_unreachable({ address, age });
    },
    get lastSuccessAt() {
      // Reports may have been saved before the news.
      return sync.firstCopy ? null : (sync.status?.lastSuccessAt ?? null);
    },
    get address() {
      const source = sync.status?.source;
      return source && !source.demo ? source.address : null;
    },
    get failure() {
      return sync.failure;
    },
    get failureTitle() {
      const address = this.address?.replace(/^https:\/\//, '') ?? m.sync_demo_service();
      return navigator.onLine ? m.sync_no_news_from({ address }) : m.sync_offline();
    },
    get failing() {
      const isInFoot = sync.offline && this.lastSuccessAt !== null;
      return !isInFoot && !sync.running && (problems.met || hasFailed(sync));
    },
    get useDemo() {
      return sync.status?.source.from === 'settings' ? useDemo : null;
    },
    get nextTryAt() {
      return sync.selected?.nextDueAt ?? null;
    },
    refresh: () => sync.refresh(),
    openSettings,
  };
}
