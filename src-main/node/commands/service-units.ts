import { posix, win32 } from 'node:path';
import { NODE_FLAGS } from '../project.ts';
import { MachineError } from '../shell.ts';

export type ServiceSystem = 'linux' | 'darwin' | 'win32';

interface ServicePlan {
  node: string;
  cli: string;
  dataFolder: string;
  port: number;
  shared?: readonly string[];
}

export interface ServicePlace {
  system: ServiceSystem;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Used on macOS. */
  uid: number;
}

/** A program and its arguments, run without a shell. */
export type Step = readonly [program: string, ...args: string[]];

export interface Unit {
  file: string;
  content: string | Uint8Array;
  text: string;
  /** After the file is written. */
  install: readonly Step[];
  /** Before the file is removed. */
  remove: readonly Step[];
  afterRemove: readonly Step[];
  /** Exits with 0 if the service runs, or on Windows is known. */
  status: Step;
}

const LABEL = 'app.broadsheet.serve';
const TASK = 'Broadsheet serve';

/** Errors: `MachineError` for a path that the system's format can't hold. */
export function unitFor(plan: ServicePlan, place: ServicePlace): Unit {
  for (const path of [plan.node, plan.cli, plan.dataFolder]) {
    if (/\p{Cc}/u.test(path)) throw new MachineError('A path with control characters cannot be in a service.');
  }
  switch (place.system) {
    case 'linux':
      return systemdUnit(plan, place);
    case 'darwin':
      return launchAgent(plan, place);
    case 'win32':
      return scheduledTask(plan);
  }
}

function argumentsOf({ cli, dataFolder, port }: ServicePlan): string[] {
  return [...NODE_FLAGS, cli, 'serve', '--data', dataFolder, '--port', String(port)];
}

/** systemd.service(5). */
function systemdUnit(plan: ServicePlan, { home, environment }: ServicePlace): Unit {
  const configured = environment['XDG_CONFIG_HOME'] ?? '';
  const folder = posix.isAbsolute(configured) ? configured : posix.join(home, '.config');
  const name = 'broadsheet.service';
  // The colon turns off the expansion of $VARIABLES in the arguments.
  const program = /["'\\]/.test(plan.node) ? [':/bin/sh', ...STARTING, plan.node] : [`:${plan.node}`];
  const command = [...program, ...argumentsOf(plan)].map(systemdWord).join(' ');
  const text = `[Unit]
Description=Broadsheet, served to the browser of this computer

[Service]
ExecStart=${command}
Restart=on-failure
RestartSec=30
UMask=0077
${sandboxOf(plan)}

[Install]
WantedBy=default.target
`;
  return {
    file: posix.join(folder, 'systemd', 'user', name),
    content: text,
    text,
    install: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', name],
      // Not only started: after a change of the unit it has to run with the new one.
      ['systemctl', '--user', 'restart', name],
    ],
    remove: [['systemctl', '--user', 'disable', '--now', name]],
    afterRemove: [['systemctl', '--user', 'daemon-reload']],
    status: ['systemctl', '--user', 'is-active', '--quiet', name],
  };
}

/** In bytes; else the socket for other commands is in the temporary folder. */
const LONGEST_FOLDER_WITH_SOCKET = 80;

/**
 * systemd.exec(5). Nothing that takes capabilities, which a unit of a user may not do everywhere. Where the system permits no user
 * namespaces, systemd leaves out what needs one.
 */
function sandboxOf({ dataFolder, shared = [] }: ServicePlan): string {
  const folders = [dataFolder, ...shared];
  const isTmpUsed =
    Buffer.byteLength(dataFolder) > LONGEST_FOLDER_WITH_SOCKET ||
    folders.some((folder) => /^\/(?:var\/)?tmp\//.test(folder));
  const writable = [...folders, ...(isTmpUsed ? ['/tmp'] : [])];
  return [
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    // Missing ones are not an error: a disk may not be mounted.
    ...writable.map((folder) => `ReadWritePaths=${systemdWord(`-${folder}`)}`),
    ...(isTmpUsed ? [] : ['PrivateTmp=yes']),
    'ProtectKernelTunables=yes',
    'ProtectControlGroups=yes',
    'ProtectHostname=yes',
    'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
    'RestrictNamespaces=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'LockPersonality=yes',
    'SystemCallArchitectures=native',
    'SystemCallFilter=@system-service',
    'SystemCallErrorNumber=EPERM',
  ].join('\n');
}

/** Makes a shell start a program whose path systemd refuses: one with quotes or backslashes. */
const STARTING = ['-c', 'exec "$0" "$@"'];

/** Quotes a word, in which systemd takes C's escapes; a percent sign begins a specifier. */
function systemdWord(word: string): string {
  return `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;
}

/** launchd.plist(5). */
function launchAgent(plan: ServicePlan, { home, uid }: ServicePlace): Unit {
  const file = posix.join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const words = [plan.node, ...argumentsOf(plan)].map((word) => `    <string>${xmlText(word)}</string>`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
  <key>Umask</key>
  <integer>${String(0o077)}</integer>
</dict>
</plist>
`;
  const domain = `gui/${String(uid)}`;
  return {
    file,
    content: text,
    text,
    install: [['launchctl', 'bootstrap', domain, file]],
    remove: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    afterRemove: [],
    status: ['launchctl', 'print', `${domain}/${LABEL}`],
  };
}

/** Task Scheduler schema 1.2. The file is in UTF-16, because schtasks reads no other encoding reliably. */
function scheduledTask(plan: ServicePlan): Unit {
  const words = argumentsOf(plan);
  // The scheduler replaces %NAME% in commands and arguments, and has no escape for it.
  if ([plan.node, ...words].some((word) => /%[^%]+%/.test(word))) {
    throw new MachineError('A path with two percent signs cannot be in a scheduled task. Choose another data folder.');
  }
  const text = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Broadsheet, served to the browser of this computer</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>10</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(`"${plan.node}"`)}</Command>
      <Arguments>${xmlText(words.map(windowsWord).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
  const lines = text.replaceAll('\n', '\r\n');
  const file = win32.join(plan.dataFolder, 'service-task.xml');
  return {
    file,
    content: Buffer.from(`\ufeff${lines}`, 'utf16le'),
    text,
    install: [
      ['schtasks', '/Create', '/F', '/TN', TASK, '/XML', file],
      ['schtasks', '/Run', '/TN', TASK],
    ],
    remove: [
      ['schtasks', '/End', '/TN', TASK],
      ['schtasks', '/Delete', '/F', '/TN', TASK],
    ],
    afterRemove: [],
    status: ['schtasks', '/Query', '/TN', TASK],
  };
}

/** Quotes a word for CommandLineToArgvW: backslashes count only before a quote. */
function windowsWord(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
