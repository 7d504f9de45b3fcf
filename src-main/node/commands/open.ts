import { dirname } from 'node:path';
import { safeLink } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import { writeLink, type Target } from '../../contract/refs.ts';
import type { Call } from '../../contract/wire.ts';
import { flag, ownCommand, text, type Chooser, type Command } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { print } from '../run-command.ts';
import { EXIT, MachineError, type ExitCode } from '../shell.ts';
import { oneLine } from '../terminal-text.ts';
import { labelOf } from './reports.ts';
import type { ServedPage } from '../serving.ts';

const OPEN_OPTIONS = {
  web: flag('the page where it was published, also while Broadsheet runs'),
  print: flag('print the address instead; also without a display, in CI and with BROWSER=none'),
};
const id = text('the id; for a report, a date, week or month (default: the latest)', 512);

export const OPEN: Chooser = {
  about:
    'open Broadsheet: the app that runs, else in the browser, serving it if it is not served yet; or a saved report, story or item: in the Broadsheet that runs, else its web page',
  choose: 'what to open (default: Broadsheet itself)',
  key: { name: 'id', ...id },
  options: OPEN_OPTIONS,
  missing: () => "missing required argument 'id'",
  excess: () => "too many arguments for 'open'",
};

export const OPEN_COMMANDS = {
  open: ownCommand({
    options: { print: OPEN_OPTIONS.print },
    run: ({ print = false }, invocation) => openApp(invocation, print),
  }),
  'open daily': openReport('daily'),
  'open weekly': openReport('weekly'),
  'open monthly': openReport('monthly'),
  'open story': ownCommand({
    args: { id },
    options: OPEN_OPTIONS,
    run: ({ id, ...flags }, invocation) =>
      open(invocation, 'story', flags, async (call) => {
        // A story that was merged into another one has its id.
        const { publicId, links } = await call('stories.get', { publicId: id });
        return { target: { view: 'story', publicId }, link: links.aihot };
      }),
  }),
  'open item': ownCommand({
    args: { id },
    options: OPEN_OPTIONS,
    run: ({ id, ...flags }, invocation) =>
      open(invocation, 'item', flags, async (call) => {
        const { links } = await call('items.get', { id });
        return { target: { view: 'item', id }, link: safeLink(links.original) ?? links.aihot };
      }),
  }),
};

function openReport(kind: ReportKind): Command {
  return ownCommand({
    args: { id: { ...id, defaultValue: 'latest' } },
    options: OPEN_OPTIONS,
    run: ({ id, ...flags }, invocation) =>
      open(invocation, kind, flags, async (call) => {
        const { label, links } = await call('reports.get', { kind, label: await labelOf(call, kind, id) });
        return { target: { view: 'report', kind, label }, link: links.aihot };
      }),
  });
}

interface Found {
  target: Target;
  link: string | null;
}

/** Only the desktop app that has the folder; returns false if none has it. */
async function showsInApp(invocation: Invocation, target?: Target): Promise<boolean> {
  const link = target === undefined ? undefined : (writeLink(target) ?? undefined);
  const { throughRunning } = await import('../open-to-write.ts');
  const running = await throughRunning(invocation, { fetches: target === undefined });
  try {
    if (running?.through !== 'electron') return false;
    await running.call('app.show', link === undefined ? {} : { link });
  } finally {
    await running?.close();
  }
  const record = { url: link ?? null, opened: true };
  await print(invocation, record, 'Broadsheet is running. Its window comes to the front.');
  return true;
}

/** Without a browser, it prints the address that signs one in. */
async function openApp(invocation: Invocation, printsOnly: boolean): Promise<ExitCode> {
  const { shell, dataFolder } = invocation;
  const [{ rememberedAddress, servedPage }, { mayOpenBrowser }, { serve }] = await Promise.all([
    import('../serving.ts'),
    import('../../../scripts/setup/open-privately.mjs'),
    import('./serve.ts'),
  ]);
  const opens = !printsOnly && mayOpenBrowser({ platform: process.platform, env: shell.environment });
  const show = async (page: ServedPage, token: string): Promise<void> => {
    if (opens) await openServed(invocation, page);
    else if (!printsOnly) await shell.err.line('There is no browser to open here, so this is the address:');
    await print(
      invocation,
      { url: opens ? page.address : token, opened: opens },
      opens ? `Opened ${page.address}` : token,
    );
  };
  const page = await servedPage(dataFolder);
  const token = rememberedAddress(dataFolder);
  if (page && token !== null) return show(page, token).then(() => EXIT.well);
  if (!printsOnly && (await showsInApp(invocation))) return EXIT.well;
  return serve(invocation, { port: undefined, watchStdin: false }, async (url) => {
    await show({ address: `${new URL(url).origin}/`, entrance: url }, url);
    await shell.err.line('It is served until Ctrl+C. To serve it in the background: broadsheet service install');
  });
}

/** Prints the address without a browser. Errors: `not_found`, also without a page; `MachineError` if none starts. */
async function open(
  invocation: Invocation,
  what: string,
  { print: printsOnly = false, web = false }: { print?: boolean; web?: boolean },
  find: (call: Call) => Promise<Found>,
): Promise<ExitCode> {
  const { shell, dataFolder } = invocation;
  const [{ openStored }, { servedPage }, { mayOpenBrowser }] = await Promise.all([
    import('../open-core.ts'),
    import('../serving.ts'),
    import('../../../scripts/setup/open-privately.mjs'),
  ]);
  const { call, close } = await openStored(invocation, { opensLinks: true });
  try {
    const { target, link } = await find(call);
    const page = web ? null : await servedPage(dataFolder, target);
    const opens = !printsOnly && mayOpenBrowser({ platform: process.platform, env: shell.environment });
    if (opens && !web && page === null && (await showsInApp(invocation, target))) return EXIT.well;
    const address = page?.address ?? safeLink(link);
    if (address === null) throw new BroadsheetError('not_found', `The service names no web page of this ${what}.`);
    if (opens) await openAddress(invocation, call, page ?? address);
    else if (!printsOnly) await shell.err.line('There is no browser to open here, so this is the address:');
    await print(invocation, { url: address, opened: opens }, oneLine(opens ? `Opened ${address}` : address));
  } finally {
    await close();
  }
  return EXIT.well;
}

async function openAddress(invocation: Invocation, call: Call, place: ServedPage | string): Promise<void> {
  if (typeof place !== 'string') return openServed(invocation, place);
  await call('links.open', { url: place }).catch(refuseBrowser);
}

async function openServed({ shell: { browser } }: Invocation, { entrance }: ServedPage): Promise<void> {
  const { openPrivately } = await import('../../../scripts/setup/open-privately.mjs');
  const open = async (file: string): Promise<void> => {
    await browser.open(file);
    browser.removeLater(dirname(file));
  };
  await openPrivately(entrance, open).catch(refuseBrowser);
}

function refuseBrowser(cause: unknown): never {
  throw new MachineError('No browser could be started. With --print, the address is printed instead.', { cause });
}
