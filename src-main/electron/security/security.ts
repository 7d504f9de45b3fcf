import type { DownloadItem, Session, WebContents, WebPreferences, Shell, CommandLine } from 'electron';
import type { Clock } from '../../contract/ports.ts';
import { systemClock } from '../../core/system-clock.ts';
import { isPageAddress } from '../page.ts';
import { safeLink } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';

// Follows Electron's security checklist. The page shows untrusted text: if any of it ever ran as code, it would have no
// more rights than a web page, and a wire that checks every call.

export function pagePreferences(preload: string): WebPreferences {
  return {
    preload,
    // The page's process has no access to files or the network.
    sandbox: true,
    // The page gets copies of the preload script's objects.
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    // Experimental features have had less security review.
    experimentalFeatures: false,
    // A guest page would have its own preferences.
    webviewTag: false,
    // A dropped file or link must not replace the page.
    navigateOnDragDrop: false,
    // alert() and similar dialogs would appear to come from the app.
    disableDialogs: true,
    // The spell checker downloads dictionaries from a server, without asking the user.
    spellcheck: false,
  };
}

/** The only permission of the page: copying text, which Chromium allows only after a click. */
const COPYING = 'clipboard-sanitized-write';

/** Denies the permissions that Electron grants by default. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { isMainFrame, requestingUrl }) =>
    answer(permission === COPYING && isMainFrame && isPageAddress(requestingUrl)),
  );
  // Most web APIs only run the check, without a request.
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) => permission === COPYING && isMainFrame && isPageAddress(origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  // In addition to the page's preference: this one prevents the download of dictionaries.
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event, item) => {
    if (!isOfPage(item)) return event.preventDefault();
    // Without a path, Electron shows a save dialog in the last folder. Its default title would be the address.
    item.setSaveDialogOptions({ title: item.getFilename() });
  });
}

/** All schemes except the app's own, which needs no filter. */
const BLOCKED_URLS = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file:///*'];

/** Blocks network and disk for windows, independently of the content security policy. The engine is not affected. */
export function blockNetwork(session: Session): void {
  session.webRequest.onBeforeRequest({ urls: BLOCKED_URLS }, (_details, answer) => answer({ cancel: true }));
}

/** Checks that the page downloads its own Blob. The initiator counts too, because anyone could use the address. */
function isOfPage(item: DownloadItem): boolean {
  const url = URL.parse(item.getURL());
  return url?.protocol === 'blob:' && isPageAddress(url.pathname) && isPageAddress(item.getInitiatorOrigin());
}

/** In ms after a click. */
const CLICK_MS = 1000;

/** Denies navigation, second windows and guests. `openInBrowser` gets the address of each window a click requested. */
export function confine(
  contents: WebContents,
  openInBrowser: (address: string) => void,
  clock: Pick<Clock, 'now'> = systemClock,
): void {
  // Subframes too, although the content security policy already forbids them.
  contents.on('will-frame-navigate', (event) => {
    // The target is not opened in the browser, since the event may not come from a click. Links use the wire.
    if (!event.isMainFrame || !isPageAddress(event.url)) event.preventDefault();
  });
  // The app's scheme never redirects, so any redirect leaves it.
  contents.on('will-redirect', (event) => event.preventDefault());
  const takeClick = watchClicks(contents, clock);
  contents.setWindowOpenHandler(({ url }) => {
    // For clicks with the middle button, which the page does not handle. A script alone cannot open anything.
    if (takeClick()) openInBrowser(url);
    return { action: 'deny' };
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** Returns true once per click that was just made. Based on input events, not on the page. */
function watchClicks(contents: WebContents, clock: Pick<Clock, 'now'>): () => boolean {
  let clickedAt: number | null = null;
  contents.on('input-event', (_event, { type }) => {
    if (type === 'mouseUp') clickedAt = clock.now();
  });
  return () => {
    const isFresh = clickedAt !== null && Math.abs(clock.now() - clickedAt) <= CLICK_MS;
    clickedAt = null;
    return isFresh;
  };
}

/** Checks again, since blocked navigation has no handler. Errors: `link_refused` for anything but http and https. */
export async function openLink(shell: Pick<Shell, 'openExternal'>, address: string): Promise<void> {
  const link = safeLink(address);
  if (link === null) throw new BroadsheetError('link_refused', 'Only http and https links can be opened.');
  await shell.openExternal(link);
}

/** Set by launchers, by AppImages where user namespaces are forbidden, and by ELECTRON_DISABLE_SANDBOX; never by us. */
const SWITCHES = ['no-sandbox', 'disable-seccomp-filter-sandbox'];

export function isUnsandboxed(commandLine: Pick<CommandLine, 'hasSwitch'>): boolean {
  return SWITCHES.some((name) => commandLine.hasSwitch(name));
}
