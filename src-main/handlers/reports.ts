import type { Handlers, Session } from './types.ts';
import { localeOf } from '../common/i18n/locale.ts';
import { renderReport } from '../render/report-files.ts';

export function reportsHandlers(session: Session) {
  return {
    'reports.index': async (args) => ({ lines: await session.longRead('reportIndex', args) }),
    'reports.get': ({ kind, label }) => session.queries.reports.get(kind, label),
    'reports.render': ({ kind, label, format }) => {
      const { settings, capabilities } = session.ports;
      const locale = localeOf(settings.get().language, capabilities.locale);
      return renderReport(session.queries.reports.get(kind, label), format, { locale });
    },
  } satisfies Partial<Handlers>;
}
