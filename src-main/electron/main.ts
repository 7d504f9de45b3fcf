import { app, protocol, shell } from 'electron';
import { chooseDataFolder } from './data_folder.ts';
import { identify } from './identity.ts';
import { openLink } from './links.ts';
import { createLog } from './log.ts';
import { registerPageScheme } from './page.ts';
import { confine } from './security.ts';
import { start } from './start.ts';

// The start-up, in order. What stands before `whenReady` has to: Electron takes it only then.
const log = createLog(Boolean(process.env['BROADSHEET_DEBUG']));
const dataFolder = chooseDataFolder(app, process.env);
identify(app, process.platform);
registerPageScheme(protocol);
app.enableSandbox();
app.on('web-contents-created', (_event, contents) => confine(contents, leave));

if (app.requestSingleInstanceLock()) {
  // Not awaited here: Electron is ready only after this module has run to its end.
  void app
    .whenReady()
    .then(() => start(dataFolder, log))
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
