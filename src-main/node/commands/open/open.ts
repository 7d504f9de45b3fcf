import { dirname } from 'node:path';
import { mayOpenBrowser, openPrivately } from '../../../../scripts/setup/open-privately.mjs';
import { safeLink } from '../../../contract/addresses.ts';
import { BroadsheetError } from '../../../contract/errors.ts';
import type { ReportKind } from '../../../contract/model/report.ts';
import type { Target } from '../../../contract/targets.ts';
import type { Wire } from '../../../contract/wire.ts';
import type { Invocation } from '../../invocation.ts';
import { call } from '../../open-core.ts';
import { EXIT, MachineError, type ExitCode } from '../../shell.ts';
import { jsonLine, oneLine } from '../../terminal.ts';
import { openStored } from '../reading.ts';
import { labelOf } from '../reports.ts';
import { servedPage, type ServedPage } from './served-page.ts';

export interface OpenOptions {
  what: 'item' | 'story' | ReportKind;
  /** For a report also `latest`. */
  id: string;
  /** Prints the address instead. */
  print: boolean;
  /** Never Broadsheet's own page. */
  web: boolean;
}

/**
 * Opens something saved in the reader's browser: in Broadsheet's own page while that is served, else where it was published.
 * Without a browser it prints the address. Errors: `not_found`, also if there is no page of it; `MachineError` if the browser
 * can't be started.
 */
export async function open(invocation: Invocation, options: OpenOptions): Promise<ExitCode> {
  const { shell, json, dataFolder } = invocation;
  const opened = await openStored(invocation, { opensLinks: true });
  try {
    const { target, link } = await find(opened.wire, options);
    const page = options.web ? null : await servedPage(dataFolder, target);
    const address = page?.address ?? safeLink(link);
    if (address === null)
      throw new BroadsheetError('not_found', `The service names no web page of this ${options.what}.`);
    const opens = !options.print && mayOpenBrowser({ platform: process.platform, env: shell.environment });
    if (opens) await openAddress(invocation, opened.wire, page ?? address);
    else if (!options.print) await shell.err.line('There is no browser to open here, so this is the address:');
    if (json) await shell.out.line(jsonLine({ url: address, opened: opens }));
    else await shell.out.line(oneLine(opens ? `Opened ${address}` : address));
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

async function openAddress({ shell: { browser } }: Invocation, wire: Wire, place: ServedPage | string): Promise<void> {
  try {
    if (typeof place === 'string') await call(wire, 'links.open', { url: place });
    else
      await openPrivately(place.entrance, async (file) => {
        await browser.open(file);
        browser.removeLater(dirname(file));
      });
  } catch (cause) {
    throw new MachineError('No browser could be started. With --print, the address is printed instead.', { cause });
  }
}

/** What to open, and its page on the web. */
async function find(wire: Wire, { what, id }: OpenOptions): Promise<{ target: Target; link: string | null }> {
  if (what === 'item') {
    const { links } = await call(wire, 'items.get', { id });
    return { target: { view: 'item', id }, link: safeLink(links.original) ?? links.aihot };
  }
  if (what === 'story') {
    // A story that was merged into another one has its id.
    const { publicId, links } = await call(wire, 'stories.get', { publicId: id });
    return { target: { view: 'story', publicId }, link: links.aihot };
  }
  const { label, links } = await call(wire, 'reports.get', { kind: what, label: await labelOf(wire, what, id) });
  return { target: { view: 'report', kind: what, label }, link: links.aihot };
}
