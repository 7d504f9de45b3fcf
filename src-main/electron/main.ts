import { app, protocol, shell } from 'electron';
import type { Log } from '../contract/ports.ts';
import { HostLog, logFolderOf, openLogFile } from '../core/log.ts';
import { systemClock } from '../core/system-clock.ts';
import { forgetForeignAppImage, identify, claimInstance } from './identity.ts';
import { catchDefects, Defects, giveUp, ignoreBrokenStreams } from './crash.ts';
import { chooseDataFolder, useLocalFolder } from './data-folder.ts';
import { OpenedLinks } from './activation.ts';
import { openLink, confine } from './security/security.ts';
import { registerPageScheme } from './page.ts';
import { start } from './start.ts';

// The order matters: Electron accepts everything above `whenReady` only before it is ready.
forgetForeignAppImage(process.env, process.execPath);
const dataFolder = chooseDataFolder(process.env);
const localFolder = useLocalFolder(dataFolder, process.env);
const terminal = createTerminalLog(Boolean(process.env['BROADSHEET_DEBUG']));
const hostLog = new HostLog(terminal, openLogFile({ folder: dataFolder, clock: systemClock }));
const { log } = hostLog;
const defects = new Defects(log);
ignoreBrokenStreams(process.stdout, process.stderr);
catchDefects(process, defects.report);
const links = new OpenedLinks();
identify(process.platform);
registerPageScheme(protocol);
// Chromium's use of the speech of Linux is off by default.
if (process.platform === 'linux') app.commandLine.appendSwitch('enable-speech-dispatcher');
app.enableSandbox();
app.on('web-contents-created', (_event, contents) => confine(contents, openInBrowser));

const instance = claimInstance(localFolder);
if (instance === 'second') {
  // Not in the log file, which belongs to the first instance.
  terminal('warn', 'Broadsheet is already running. Its window comes to the front');
  app.quit();
} else {
  if (instance === 'unlocked') log('warn', 'Could not lock this instance: a second start will not find it');
  // Not awaited: Electron becomes ready only after this module has finished.
  void app
    .whenReady()
    .then(() => start({ dataFolder, hostLog, defects, links }))
    .catch((error: unknown) => giveUp(error, log, logFolderOf(dataFolder)));
}

function createTerminalLog(everything: boolean): Log {
  return (level, message, fields = {}) => {
    if (!everything && (level === 'debug' || level === 'info')) return;
    const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    process.stderr.write(`${new Date().toISOString()} ${level} ${message}${details.join('')}\n`);
  };
}

function openInBrowser(address: string): void {
  openLink(shell, address).catch(() => log('warn', 'Could not open a link'));
}
