import type { Handlers } from './handlers.ts';
import { renderEdition } from './report-export/report-files.ts';
import type { Session } from './session.ts';

type EditionsMethods =
  'editions.index' | 'editions.get' | 'editions.open' | 'editions.mark' | 'editions.markCitation' | 'editions.render';

export function editionsHandlers(session: Session): Pick<Handlers, EditionsMethods> {
  return {
    'editions.index': ({ kind }) => ({ lines: session.reader.editionIndex(kind) }),
    'editions.get': ({ kind, label }) => session.reader.edition(kind, label),
    'editions.open': (args) => session.engine.call('editions.open', args),
    'editions.mark': (args) => session.engine.call('editions.mark', args),
    'editions.markCitation': (args) => session.engine.call('editions.markCitation', args),
    'editions.render': ({ kind, label, format }) => {
      const { language } = session.ports.settings.get();
      const wanted = language === 'system' ? session.ports.capabilities.locale : language;
      return renderEdition(session.reader.edition(kind, label), format, wanted);
    },
  };
}
