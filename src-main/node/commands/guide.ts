import { BroadsheetError } from '../../contract/errors.ts';
import type { GuidePage } from '../../contract/model/visit.ts';
import type { Invocation } from '../invocation.ts';
import { call, openCore, openReadingCore } from '../open-core.ts';
import { EXIT, type ExitCode } from '../shell.ts';
import { jsonLine, localTime, oneLine, severalLines } from '../terminal.ts';

/**
 * Prints the service's guide for agents, downloaded again if it has expired. If another Broadsheet uses the data folder or
 * the service is unavailable, the saved guide is printed, with a message on stderr.
 */
export async function showGuide(invocation: Invocation): Promise<ExitCode> {
  const { shell, json } = invocation;
  const guide = await openGuide(invocation);
  if (guide.stale) await shell.err.line(oneLine(`Saved ${localTime(guide.fetchedAt)}. ${guide.stale.message}`));
  await shell.out.line(json ? jsonLine(guide) : severalLines(guide.text));
  return EXIT.well;
}

async function openGuide(invocation: Invocation): Promise<GuidePage> {
  try {
    return await openOf(await openCore(await withStoredService(invocation), { fetches: true, waits: false }));
  } catch (error) {
    if (!(error instanceof BroadsheetError) || error.code !== 'data_in_use') throw error;
    const reading = await openReadingCore(invocation);
    if (!reading) throw error;
    return openOf(reading);
  }
}

/** Uses the service of the saved data unless another one is set, so that `show` never switches the service. */
async function withStoredService(invocation: Invocation): Promise<Invocation> {
  const { newsOption, newsEnvironment, demo: wanted } = invocation;
  if (newsOption !== undefined || newsEnvironment !== undefined || wanted !== undefined) return invocation;
  const reading = await openReadingCore(invocation);
  if (!reading) return invocation;
  const { demo, harsh = false, address } = await call(reading.wire, 'source.get', {}).finally(reading.close);
  if (demo) return harsh ? { ...invocation, demo: 'harsh' } : invocation;
  return { ...invocation, newsOption: address };
}

async function openOf(opened: Awaited<ReturnType<typeof openCore>>): Promise<GuidePage> {
  return call(opened.wire, 'guide.open', {}).finally(opened.close);
}
