import type { Handlers, Session } from './types.ts';
import { renderReport } from './report-export/report-files.ts';

export function reportsHandlers(session: Session) {
  return {
    'reports.index': async (args) => ({ lines: await session.longRead('reportIndex', args) }),
    'reports.get': ({ kind, label }) => session.queries.reports.get(kind, label),
    'reports.render': ({ kind, label, format }) => {
      const { language } = session.ports.settings.get();
      const wanted = language === 'system' ? session.ports.capabilities.locale : language;
      return renderReport(session.queries.reports.get(kind, label), format, wanted);
    },
  } satisfies Partial<Handlers>;
}
