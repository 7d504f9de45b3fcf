import type { Handlers, Session } from './types.ts';
import { renderReport } from './report-export/report-files.ts';

export function reportsHandlers(session: Session) {
  return {
    'reports.index': ({ kind }) => ({ lines: session.queries.reports.index(kind) }),
    'reports.get': ({ kind, label }) => session.queries.reports.get(kind, label),
    'reports.render': ({ kind, label, format }) => {
      const { language } = session.ports.settings.get();
      const wanted = language === 'system' ? session.ports.capabilities.locale : language;
      return renderReport(session.queries.reports.get(kind, label), format, wanted);
    },
  } satisfies Partial<Handlers>;
}
