import { app, protocol, shell } from 'electron';
import { HostLog } from '../core/log/host-log.ts';
import { openLogFile } from '../core/log/log-file.ts';
import { systemClock } from '../core/system-clock.ts';
import { catchDefects, Defects } from './crash.ts';
import { chooseDataFolder } from './data-folder.ts';
import { OpenedLinks } from './activation/deep-links.ts';
import { identify } from './identity.ts';
import { openLink } from './security/links.ts';
import { createLog, ignoreBrokenStreams } from './log.ts';
import { registerPageScheme } from './page.ts';
import { confine } from './security/security.ts';
import { start } from './start.ts';

// The order matters: Electron accepts everything above `whenReady` only before it is ready.
const dataFolder = chooseDataFolder(app, process.env);
const hostLog = new HostLog(
  createLog(Boolean(process.env['BROADSHEET_DEBUG'])),
  openLogFile({ folder: dataFolder, clock: systemClock }),
);
const { log } = hostLog;
const defects = new Defects(log);
ignoreBrokenStreams(process.stdout, process.stderr);
catchDefects(process, defects.report);
const links = new OpenedLinks(app);
identify(app, process.platform);
registerPageScheme(protocol);
app.enableSandbox();
app.on('web-contents-created', (_event, contents) => confine(contents, openInBrowser));

if (app.requestSingleInstanceLock()) {
  // Not awaited: Electron becomes ready only after this module has finished.
  void app
    .whenReady()
    .then(() => start({ dataFolder, hostLog, defects, links }))
    .catch(giveUp);
} else {
  // The first instance is notified and shows its window.
  app.quit();
}

/** Exits if the start fails: without a window, the app could not even be quit. */
function giveUp(error: unknown): void {
  log('error', 'Broadsheet could not start', { reason: String(error) });
  app.exit(1);
}

function openInBrowser(address: string): void {
  openLink(shell, address).catch(() => log('warn', 'Could not open a link'));
}
