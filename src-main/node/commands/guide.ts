import { BroadsheetError } from '../../contract/errors.ts';
import type { GuidePage } from '../../contract/model/sync-status.ts';
import { ownCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import type { OpenCore } from '../open-core.ts';
import { print } from '../run-command.ts';
import { EXIT } from '../shell.ts';
import { localTime, oneLine, severalLines } from '../terminal-text.ts';

export const GUIDE_COMMANDS = {
  'show agent': ownCommand({
    run: async (_given, invocation) => {
      const guide = await openGuide(invocation);
      if (guide.stale) {
        await invocation.shell.err.line(oneLine(`Saved ${localTime(guide.fetchedAt)}. ${guide.stale.message}`));
      }
      await print(invocation, guide, severalLines(guide.text));
      return EXIT.well;
    },
  }),
};

/** Downloads an expired guide. Opens the saved one if the data folder is in use or the service is unavailable. */
async function openGuide(invocation: Invocation): Promise<GuidePage> {
  const { openCore, openReadingCore } = await import('../open-core.ts');
  const guideOf = ({ call, close }: OpenCore): Promise<GuidePage> => call('guide.open', {}).finally(close);
  try {
    return await guideOf(await openCore(await withStoredService(invocation), { fetches: true }));
  } catch (error) {
    if (!(error instanceof BroadsheetError) || error.code !== 'data_in_use') throw error;
    const reading = await openReadingCore(invocation);
    if (!reading) throw error;
    return guideOf(reading);
  }
}

/** Uses the service of the saved data unless another is set, because `show` must not switch it. */
async function withStoredService(invocation: Invocation): Promise<Invocation> {
  const { newsOption, newsEnvironment, demo: wanted } = invocation;
  if (newsOption !== undefined || newsEnvironment !== undefined || wanted !== undefined) return invocation;
  const { openReadingCore } = await import('../open-core.ts');
  const reading = await openReadingCore(invocation);
  if (!reading) return invocation;
  const { demo, harsh = false, address } = await reading.call('source.get', {}).finally(reading.close);
  if (demo) return harsh ? { ...invocation, demo: 'harsh' } : invocation;
  return { ...invocation, newsOption: address };
}
