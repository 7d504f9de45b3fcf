import { BroadsheetError } from '../../contract/errors.ts';
import type { GuidePage } from '../../contract/model/visit.ts';
import type { Invocation } from '../invocation.ts';
import { ask, openCore, openReadingCore } from '../open-core.ts';
import { EXIT, type ExitCode } from '../shell.ts';
import { jsonLine, localTime, oneLine, severalLines } from '../terminal.ts';

/**
 * The service's guide for agents: asked for where its lifetime has run out, else as it is stored. Where another Broadsheet
 * has the folder, and where the service cannot be asked, the stored one is shown, with a remark on stderr.
 */
export async function showGuide(invocation: Invocation): Promise<ExitCode> {
  const { shell, json } = invocation;
  const guide = await openGuide(invocation);
  if (guide.stale) await shell.err.line(oneLine(`Stored ${localTime(guide.fetchedAt)}. ${guide.stale.message}`));
  await shell.out.line(json ? jsonLine(guide) : severalLines(guide.text));
  return EXIT.well;
}

async function openGuide(invocation: Invocation): Promise<GuidePage> {
  try {
    return await openOf(await openCore(await ofStoredService(invocation), { fetches: true, waits: false }));
  } catch (error) {
    if (!(error instanceof BroadsheetError) || error.code !== 'data_in_use') throw error;
    const reading = await openReadingCore(invocation);
    if (!reading) throw error;
    return openOf(reading);
  }
}

/** Showing something is no reason to go over to another service: without one that is named, the stored one is asked. */
async function ofStoredService(invocation: Invocation): Promise<Invocation> {
  if (invocation.newsOption !== undefined || invocation.newsEnvironment !== undefined) return invocation;
  const reading = await openReadingCore(invocation);
  if (!reading) return invocation;
  const { demo, address } = await ask(reading.wire, 'source.get', {}).finally(reading.close);
  return demo ? invocation : { ...invocation, newsOption: address };
}

async function openOf(opened: Awaited<ReturnType<typeof openCore>>): Promise<GuidePage> {
  return ask(opened.wire, 'guide.open', {}).finally(opened.close);
}
