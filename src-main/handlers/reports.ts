import type { Handlers } from './handlers.ts';
import { renderReport } from './report-export/report-files.ts';
import type { Session } from './session.ts';

type ReportMethods =
  'reports.index' | 'reports.get' | 'reports.open' | 'reports.mark' | 'reports.markCitation' | 'reports.render';

export function reportsHandlers(session: Session): Pick<Handlers, ReportMethods> {
  return {
    'reports.index': ({ kind }) => ({ lines: session.queries.reports.index(kind) }),
    'reports.get': ({ kind, label }) => session.queries.reports.get(kind, label),
    'reports.open': (args) => session.engine.call('reports.open', args),
    'reports.mark': (args) => session.engine.call('reports.mark', args),
    'reports.markCitation': (args) => session.engine.call('reports.markCitation', args),
    'reports.render': ({ kind, label, format }) => {
      const { language } = session.ports.settings.get();
      const wanted = language === 'system' ? session.ports.capabilities.locale : language;
      return renderReport(session.queries.reports.get(kind, label), format, wanted);
    },
  };
}
