import { app, protocol, shell } from 'electron';
import { HostLog } from '../core/log/host-log.ts';
import { openLogFile } from '../core/log/log-file.ts';
import { systemClock } from '../core/system-clock.ts';
import { catchDefects, Defects } from './crash.ts';
import { chooseDataFolder } from './data-folder.ts';
import { OpenedLinks } from './activation/deep-links.ts';
import { identify } from './identity.ts';
import { openLink } from './security/links.ts';
import { createLog } from './log.ts';
import { registerPageScheme } from './page.ts';
import { confine } from './security/security.ts';
import { start } from './start.ts';

// The start-up, in order. What stands before `whenReady` has to: Electron takes it only then.
const dataFolder = chooseDataFolder(app, process.env);
const hostLog = new HostLog(
  createLog(Boolean(process.env['BROADSHEET_DEBUG'])),
  openLogFile({ folder: dataFolder, clock: systemClock }),
);
const { log } = hostLog;
const defects = new Defects(log);
catchDefects(process, defects.report);
const links = new OpenedLinks(app);
identify(app, process.platform);
registerPageScheme(protocol);
app.enableSandbox();
app.on('web-contents-created', (_event, contents) => confine(contents, leave));

if (app.requestSingleInstanceLock()) {
  // Not awaited here: Electron is ready only after this module has run to its end.
  void app
    .whenReady()
    .then(() => start({ dataFolder, hostLog, defects, links }))
    .catch(giveUp);
} else {
  // The first instance hears of this one and shows its window.
  app.quit();
}

/** A defect on the way to the window: an app that stays with nothing to show could not even be quit. */
function giveUp(error: unknown): void {
  log('error', 'Broadsheet could not start', { reason: String(error) });
  app.exit(1);
}

function leave(address: string): void {
  openLink(shell, address).catch(() => log('warn', 'A link was refused'));
}
