import type { DownloadItem, Session, WebContents, WebPreferences } from 'electron';
import { isPageAddress } from './page_address.ts';

// After Electron's own security checklist. The page shows text that strangers wrote: should any of it ever run as
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
    // A guest page would have preferences of its own.
    webviewTag: false,
    // A dropped file or link must not replace the page.
    navigateOnDragDrop: false,
    // The spell checker fetches dictionaries from a server that the user was never asked about.
    spellcheck: false,
  };
}

/** Electron grants what nobody refuses. Broadsheet's page needs nothing but to hand out files that it made itself. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  // Most web interfaces ask with a check first and take its yes for an answer.
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    if (!isOfPage(item)) return event.preventDefault();
    // No path is set, so Electron asks the user for one, in the folder used last. Its own title would be the address.
    item.setSaveDialogOptions({ title: item.getFilename() });
  });
}

/** A Blob of the page, asked for by the page. The address alone would not do: whoever starts a download names it. */
function isOfPage(item: DownloadItem): boolean {
  const url = URL.parse(item.getURL());
  return url?.protocol === 'blob:' && isPageAddress(url.pathname) && isPageAddress(item.getInitiatorOrigin());
}

/**
 * Keeps web contents where they are: one page, no second window, no guest.
 *
 * @param leave gets every address that the contents wanted to go to; it decides whether the user's browser opens it
 */
export function confine(contents: WebContents, leave: (address: string) => void): void {
  // Subframes too: the content policy forbids them, and a frame that is there all the same goes nowhere.
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && isPageAddress(event.url)) return;
    event.preventDefault();
    if (event.isMainFrame) leave(event.url);
  });
  // The page's own scheme never redirects, so a redirect can only lead away.
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    leave(url);
    return { action: 'deny' };
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
