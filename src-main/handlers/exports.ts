import { localeOf, type InLocale } from '../common/i18n/locale.ts';
import { mirrorName } from '../sync/engine/mirror-name.ts';
import { stableId } from './stable-id.ts';
import type { Handlers, Session } from './types.ts';

/** Lists of items and reports as files. Long ones are read in parts, in another thread; the renderers are loaded on first use. */
export function exportHandlers(session: Session) {
  const now = (): number => session.ports.clock.now();
  const language = (): InLocale => {
    const { settings, capabilities } = session.ports;
    return { locale: localeOf(settings.get().language, capabilities.locale) };
  };
  const about = () => ({ ...language(), service: mirrorName(session.source), now: now() });
  const origin = () => ({ ...language(), service: mirrorName(session.source), idOf: stableId });
  const version = (): string => session.ports.capabilities.version;
  const timeOr = (time: string | undefined): string => time ?? new Date(now()).toISOString();
  return {
    'items.export': (args) => session.longRead('exportItems', { ...args, ...about() }),
    'items.exportFrame': async ({ query, format, updatedAt }) => {
      const { itemsFrame } = await import('../render/item-files.ts');
      const saved = session.queries.rules.saved().find(({ id }) => id === query.saved)?.name ?? null;
      return itemsFrame({ query, saved }, format, timeOr(updatedAt), { ...origin(), version: version() });
    },
    'reports.feed': (args) => session.longRead('feedReports', { ...args, ...about() }),
    'reports.feedFrame': async ({ kind, month, updatedAt }) => {
      const { reportFeedFrame } = await import('../render/report-files.ts');
      return reportFeedFrame({ kind, month }, timeOr(updatedAt), { ...origin(), version: version() });
    },
    'reports.book': (args) => session.longRead('book', { ...args, ...about() }),
  } satisfies Partial<Handlers>;
}
