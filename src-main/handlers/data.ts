import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type DataMethod =
  'data.export' | 'data.import' | 'data.backups' | 'data.backUp' | 'data.restore' | 'data.rebuildMirror';

export function dataHandlers({ data }: Session): Pick<Handlers, DataMethod> {
  return {
    'data.export': () => data.export(),
    'data.import': ({ text }) => data.import(text),
    'data.backups': () => ({ backups: data.backups() }),
    'data.backUp': async () => ({ backups: await data.backUp() }),
    'data.restore': async ({ name }) => {
      await data.restore(name);
      return {};
    },
    'data.rebuildMirror': async () => {
      await data.rebuildMirror();
      return {};
    },
  };
}
