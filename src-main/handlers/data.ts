import { listParkedMirrors } from '../store/index.ts';
import type { Handlers, Session } from './types.ts';

export function dataHandlers({ data, ports }: Session) {
  return {
    'data.export': () => data.export(),
    'data.import': ({ text }) => data.import(text),
    'data.backups': () => ({ backups: data.backups() }),
    'data.parkedMirrors': () => ({ mirrors: listParkedMirrors(ports.dataFolder) }),
    'data.backUp': async () => ({ backups: await data.backUp() }),
    'data.restore': async ({ name }) => {
      await data.restore(name);
      return {};
    },
    'data.rebuildMirror': async () => {
      await data.rebuildMirror();
      return {};
    },
  } satisfies Partial<Handlers>;
}
