import type { DownloadItem, Session, WebContents, WebPreferences } from 'electron';
import type { Clock } from '../../contract/ports.ts';
import { systemClock } from '../../core/system-clock.ts';
import { isPageAddress } from '../page-address.ts';

// After Electron's own security checklist. The page shows text that connection limiter wrote: should any of it ever run as
// code, it must find a browser page without rights and a wire whose every call is checked.

/** What a window's page may do: as little as a page in an ordinary browser, and then some less. */
export function pagePreferences(preload: string): WebPreferences {
  return {
    preload,
    // The page's process can touch neither files nor the network by itself.
    sandbox: true,
    // The preload script's objects are out of the page's reach; it gets copies.
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    // What Chromium does not ship to everybody has not been looked at by everybody.
    experimentalFeatures: false,
    // A guest page would have preferences of its own.
    webviewTag: false,
    // A dropped file or link must not replace the page.
    navigateOnDragDrop: false,
    // alert() and its kin would speak in the app's name.
    disableDialogs: true,
    // The spell checker fetches dictionaries from a server that the user was never asked about.
    spellcheck: false,
  };
}

/** The one thing that the page may ask for: to put a text into the clipboard, which Chromium lets it do after a click only. */
const COPYING = 'clipboard-sanitized-write';

/**
 * Refuses a session what Electron grants where nobody refuses. Broadsheet's page needs nothing but to copy a text and to
 * hand out files that it made itself.
 */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { isMainFrame, requestingUrl }) =>
    answer(permission === COPYING && isMainFrame && isPageAddress(requestingUrl)),
  );
  // Most web interfaces ask with a check first and take its yes for an answer.
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) => permission === COPYING && isMainFrame && isPageAddress(origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  // Beside the page's own preference: this one keeps the dictionaries from being fetched.
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event, item) => {
    if (!isOfPage(item)) return event.preventDefault();
    // No path is set, so Electron asks the user for one, in the folder used last. Its own title would be the address.
    item.setSaveDialogOptions({ title: item.getFilename() });
  });
}

/** Everything that is not of the page's own making. Of these Electron asks whether to fetch them; its own scheme goes by. */
const ELSEWHERE = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file:///*'];

/**
 * Nothing is ever loaded into a window from the network or the disk, whatever the content policy may come to say. The
 * services are asked by the engine, whose requests do not pass here.
 */
export function stayOffNetwork(session: Session): void {
  session.webRequest.onBeforeRequest({ urls: ELSEWHERE }, (_details, answer) => answer({ cancel: true }));
}

/** A Blob of the page, asked for by the page. The address alone would not do: whoever starts a download names it. */
function isOfPage(item: DownloadItem): boolean {
  const url = URL.parse(item.getURL());
  return url?.protocol === 'blob:' && isPageAddress(url.pathname) && isPageAddress(item.getInitiatorOrigin());
}

/** For so long a click counts as the reason of what the page does, in ms. */
const CLICK_MS = 1000;

/**
 * Keeps web contents where they are: one page, no second window, no guest.
 *
 * @param leave gets every address that a click wanted a window for; it decides whether the user's browser opens it
 */
export function confine(
  contents: WebContents,
  leave: (address: string) => void,
  clock: Pick<Clock, 'now'> = systemClock,
): void {
  // Subframes too: the content policy forbids them, and a frame that is there all the same goes nowhere.
  contents.on('will-frame-navigate', (event) => {
    // Where it leads stays unopened: the event does not tell whether anybody clicked. The page's links go by the wire.
    if (!event.isMainFrame || !isPageAddress(event.url)) event.preventDefault();
  });
  // The page's own scheme never redirects, so a redirect can only lead away.
  contents.on('will-redirect', (event) => event.preventDefault());
  const takeClick = watchClicks(contents, clock);
  contents.setWindowOpenHandler(({ url }) => {
    // The middle button, which the page does not see as a click. A script alone opens nothing, not even in the browser.
    if (takeClick()) leave(url);
    return { action: 'deny' };
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** Tells, when asked, whether the user has clicked just now; once a click. The page's own word for it is not asked for. */
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
