import { isDeepStrictEqual } from 'node:util';
import type { MarksKey } from '../contract/model/marks-folder.ts';
import type { Handlers, Session } from './types.ts';

/** Methods of the folder of marks that change its keys: the engine uses them, and the host saves them. */
export function marksFolderHandlers(session: Session) {
  const save = async (keys: readonly MarksKey[]): Promise<void> => {
    const { marksKeys } = session.ports;
    // A keychain may ask before it encrypts anything.
    if (marksKeys && !isDeepStrictEqual(marksKeys.get(), keys)) await marksKeys.save(keys);
  };
  return {
    'marksFolder.set': async (choice) => {
      const { status, keys } = await session.engine.shareMarks(choice);
      await save(keys);
      return status;
    },
    'marksFolder.off': async () => {
      const status = await session.engine.call('marksFolder.off', {});
      await save([]);
      return status;
    },
  } satisfies Partial<Handlers>;
}
