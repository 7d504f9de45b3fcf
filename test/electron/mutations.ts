/**
 * Takes each protection of the security checklist away, one at a time, and looks whether its test notifications:
 *
 *     npm run build && node test/electron/mutations.ts
 *
 * It works on a copy; no test runs it, for it takes minutes.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What stands in a file, what stands there instead, and the title of the test that has to fail. */
type Mutation = [file: string, found: string, instead: string, test: string];

const SECURITY = 'src-main/electron/security/security.ts';
const WINDOW = 'src-main/electron/windows/page-window.ts';
const POLICY = 'src-main/core/page.ts';
const PAGE = 'src-main/electron/page.ts';
const INSTALLERS = 'electron-builder.config.ts';
const MAIN = 'src-main/electron/main.ts';
const START = 'src-main/electron/start.ts';

const MUTATIONS: Mutation[] = [
  [START, '  stayOffNetwork(session.defaultSession);\n', '', '1 only secure content is loaded: a window gets nothing'],
  [SECURITY, "'http://*/*', ", '', '1 only secure content is loaded: a window gets nothing'],
  [SECURITY, '{ cancel: true }', '{}', '1 only secure content is loaded: a window gets nothing'],
  [
    WINDOW,
    'loadURL(`${PAGE_ADDRESS}',
    'loadURL(`https://example.com/',
    '1 only secure content is loaded: a window shows',
  ],
  [SECURITY, 'nodeIntegration: false', 'nodeIntegration: true', '2 no Node in the page: nodeIntegration'],
  [
    SECURITY,
    'nodeIntegrationInWorker: false',
    'nodeIntegrationInWorker: true',
    '2 no Node in the page: nodeIntegrationInWorker',
  ],
  [
    SECURITY,
    'nodeIntegrationInSubFrames: false',
    'nodeIntegrationInSubFrames: true',
    '2 no Node in the page: nodeIntegrationInSubFrames',
  ],
  [SECURITY, 'contextIsolation: true', 'contextIsolation: false', '3 the preload script has a world of its own'],
  [
    'src-main/preload/preload.ts',
    '  on(event: unknown',
    '  send: (channel: string) => ipcRenderer.send(channel),\n\n  on(event: unknown',
    '3 the preload script has a world of its own',
  ],
  [SECURITY, 'sandbox: true', 'sandbox: false', '4 every page runs in the sandbox'],
  [MAIN, 'app.enableSandbox();\n', '', '4 every page runs in the sandbox'],
  [
    'src-main/preload/preload.ts',
    "from 'electron';",
    "from 'electron';\nimport 'node:fs';",
    '4 the preload script needs nothing',
  ],
  [WINDOW, 'webPreferences: pagePreferences(PRELOAD_FILE),', '', '2 to 6 every window gets these preferences'],
  [START, '  denyPermissions(session.defaultSession);\n', '', '5 a page is refused notifications'],
  [SECURITY, 'answer(permission === COPYING && isMainFrame', 'answer(isMainFrame', '5 a page is refused media'],
  [SECURITY, '=> permission === COPYING && isMainFrame', '=> isMainFrame', '5 a page is refused geolocation'],
  [SECURITY, '&& isPageAddress(requestingUrl)', '', '5 a page may copy a text'],
  [
    SECURITY,
    'setDevicePermissionHandler(() => false)',
    'setDevicePermissionHandler(() => true)',
    '5 a page gets no device',
  ],
  [
    SECURITY,
    "session.on('will-download'",
    "session.on('select-usb-device', () => undefined);\n  session.on('will-download'",
    '5 a page gets no device',
  ],
  [
    SECURITY,
    '  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));\n',
    '',
    '5 a page sees nothing of the screen',
  ],
  [SECURITY, 'webSecurity: true', 'webSecurity: false', '6 webSecurity is on'],
  [POLICY, `"default-src 'none'"`, `"default-src 'self'"`, 'allows nothing but what it names'],
  [POLICY, `"base-uri 'none'",\n`, '', 'allows nothing but what it names'],
  [POLICY, `"script-src 'self'"`, `"script-src 'self' 'unsafe-eval'"`, 'allows no inline code or style'],
  [POLICY, `"style-src 'self'"`, `"style-src 'self' 'unsafe-inline'"`, 'allows no inline code or style'],
  [POLICY, `"font-src 'self'"`, `"font-src 'self' https://example.com"`, 'allows no inline code or style'],
  [POLICY, `"font-src 'self'"`, `"font-src 'self' data:"`, 'lets data: be a picture and nothing else'],
  [POLICY, `"require-trusted-types-for 'script'",\n`, '', 'lets no text become markup or code'],
  [PAGE, `'content-security-policy': pagePolicy("'none'"),`, '', '7 the content policy comes with every answer'],
  ['src-main/node/server/responses.ts', `pagePolicy("'self'")`, `"default-src *"`, '7 the content policy, browser'],
  ['src-renderer/index.html', '<body>', '<body onload="x()">', '7 the page is written so that the policy holds'],
  [SECURITY, 'allowRunningInsecureContent: false', 'allowRunningInsecureContent: true', '8 no insecure content runs'],
  [SECURITY, 'experimentalFeatures: false', 'experimentalFeatures: true', '9 and 10 no experimental features'],
  [
    SECURITY,
    'experimentalFeatures: false,',
    "experimentalFeatures: false, enableBlinkFeatures: 'X',",
    '9 and 10 no experimental features',
  ],
  [
    MAIN,
    'app.enableSandbox();',
    "app.enableSandbox();\napp.commandLine?.appendSwitch('no-sandbox');",
    '9 and 10 no experimental features',
  ],
  [SECURITY, 'webviewTag: false', 'webviewTag: true', '11 and 12 there are no guest pages'],
  [
    SECURITY,
    "  contents.on('will-attach-webview', (event) => event.preventDefault());\n",
    '',
    '11 and 12 there are no guest pages',
  ],
  [
    MAIN,
    "app.on('web-contents-created'",
    "app.on('not-created' as 'web-contents-created'",
    '13 a window does not navigate',
  ],
  [
    SECURITY,
    'if (!event.isMainFrame || !isPageAddress(event.url)) event.preventDefault();',
    '',
    '13 a window does not navigate',
  ],
  [SECURITY, '!event.isMainFrame || ', '', 'navigates no frame within it'],
  [SECURITY, "contents.on('will-redirect', (event) => event.preventDefault());", '', '13 a window does not navigate'],
  [SECURITY, 'navigateOnDragDrop: false', 'navigateOnDragDrop: true', '13 a dropped file or link'],
  [SECURITY, "action: 'deny'", "action: 'allow'", '14 a page opens no window'],
  [
    'src-main/electron/desktop/desktop-integration.ts',
    'function openDesktopTray',
    'export const door = (s: Electron.Shell) => s.openExternal("");\nfunction openDesktopTray',
    '15 openExternal is called at one door',
  ],
  [
    'src-main/contract/addresses.ts',
    '/^https?:$/.test(protocol)',
    '/^(https?|file|ftp|smb):$/.test(protocol)',
    '15 that door refuses',
  ],
  ['src-main/contract/addresses.ts', ' && !username && !password', '', '15 that door refuses'],
  [
    'src-main/electron/security/links.ts',
    'shell.openExternal(link)',
    'shell.openExternal(address)',
    '15 that door hands on what it checked',
  ],
  ['package.json', '"electron": "45', '"electron": "^44', '16 Electron is a current one'],
  [
    'src-main/electron/ipc.ts',
    'if (!comesFromPage(event)) return { ok: false, error: FORBIDDEN };',
    '',
    '17 IPC answers no',
  ],
  ['src-main/electron/ipc.ts', ' && senderFrame.parent === null', '', '17 IPC answers no a frame within the page'],
  ['src-main/electron/page-address.ts', ' && url.host === PAGE_HOST', '', '17 IPC answers no a page whose host'],
  [
    'src-main/electron/ipc.ts',
    '  for (const name of EVENT_NAMES)',
    "  ipc.handle('another', () => 1);\n  for (const name of EVENT_NAMES)",
    'IPC has one channel',
  ],
  [
    'src-main/contract/methods.ts',
    "'links.open': core(z.strictObject(",
    "'links.open': core(z.looseObject(",
    'IPC passes on no argument',
  ],
  [
    'src-main/contract/methods.ts',
    "'counts.get': core(nothing)",
    "'counts.get': core(z.any())",
    'IPC looks at the arguments of counts.get',
  ],
  ['src-main/core/dispatch.ts', '!isMethodName(method)', 'false', 'IPC knows no method'],
  [
    PAGE,
    'const found = files.get(',
    'const found = fromDisk(files, ',
    'the scheme serves nothing but the files of the page',
  ],
  [
    PAGE,
    'if (realpathSync(file) !== join(realpathSync(folder), path)) continue;',
    '',
    'the scheme serves nothing but the files of the page',
  ],
  [
    PAGE,
    "if (!isPageAddress(request.url)) return plain(404, 'No such host.');",
    '',
    'the scheme serves nothing but the files of the page',
  ],
  [
    PAGE,
    'supportFetchAPI: true',
    'supportFetchAPI: true, bypassCSP: true',
    'the scheme has no right beyond those of a page',
  ],
  [
    MAIN,
    'app.enableSandbox();',
    "app.enableSandbox();\napp.on('certificate-error', (event) => event.preventDefault());",
    'no certificate is taken',
  ],
  [
    MAIN,
    'app.enableSandbox();',
    "app.enableSandbox();\napp.on('login', (event) => event.preventDefault());",
    'nobody is asked for a password',
  ],
  [SECURITY, '  session.setSpellCheckerEnabled(false);\n', '', 'the spell checker fetches no dictionaries'],
  [SECURITY, 'spellcheck: false', 'spellcheck: true', 'the spell checker fetches no dictionaries'],
  [SECURITY, 'disableDialogs: true', 'disableDialogs: false', 'a page has no dialogs of its own'],
  [
    'src-main/electron/menus/menu-template.ts',
    '...(development ?',
    '...(development || true ?',
    'an installed app has no developer tools',
  ],
  [
    'package.json',
    '"dependencies": {',
    '"dependencies": {\n    "@electron/remote": "2.1.2",',
    'there is no remote module',
  ],
  [
    'src-main/core/core.ts',
    'import',
    'export const run = (text: string) => new Function(text);\nimport',
    'no source runs a text as code',
  ],
  ['src-renderer/app/App.svelte', '</script>', '</script>\n{@html ""}', 'no source runs a text as code'],
  ['eslint.config.js', "'no-eval': 'error', ", '', 'the linter refuses eval and its kin'],
  ['eslint.config.js', ", 'no-new-func': 'error'", '', 'the linter refuses eval and its kin'],
  [INSTALLERS, 'runAsNode: false', 'runAsNode: true', 'the fuse runAsNode'],
  [
    INSTALLERS,
    'enableNodeOptionsEnvironmentVariable: false',
    'enableNodeOptionsEnvironmentVariable: true',
    'the fuse enableNodeOptions',
  ],
  [
    INSTALLERS,
    'enableNodeCliInspectArguments: false',
    'enableNodeCliInspectArguments: true',
    'the fuse enableNodeCliInspect',
  ],
  [INSTALLERS, 'onlyLoadAppFromAsar: true', 'onlyLoadAppFromAsar: false', 'the fuse onlyLoadAppFromAsar'],
  [
    INSTALLERS,
    'enableEmbeddedAsarIntegrityValidation: true',
    'enableEmbeddedAsarIntegrityValidation: false',
    'the fuse enableEmbeddedAsar',
  ],
  [INSTALLERS, 'enableCookieEncryption: true', 'enableCookieEncryption: false', 'the fuse enableCookieEncryption'],
  [
    INSTALLERS,
    'grantFileProtocolExtraPrivileges: false',
    'grantFileProtocolExtraPrivileges: true',
    'the fuse grantFileProtocol',
  ],
  [
    INSTALLERS,
    'loadBrowserProcessSpecificV8Snapshot: false',
    'loadBrowserProcessSpecificV8Snapshot: true',
    'the fuse loadBrowserProcess',
  ],
  [INSTALLERS, 'asar: { smartUnpack: false },', 'asar: false,', 'what is packed lies in an archive'],
  [
    INSTALLERS,
    'npmRebuild: false,',
    'npmRebuild: false,\n  disableAsarIntegrity: true,',
    'what is packed lies in an archive',
  ],
  ['scripts/check.mjs', ', passesAudit()', '', 'the dependencies are audited by the checks'],
  ['out/renderer/index.html', '</head>', '<script>x()</script></head>', 'the page holds no code or style of its own'],
  ['out/renderer/first-paint.js', '', 'eval("1");', 'nothing in page and preload script makes code'],
  ['out/renderer/first-paint.js', '', 'document.body.innerHTML = "";', 'nothing in the page makes markup of a text'],
  ['out/main/main.js', '', 'new Function("1");', 'in the host only the checkers of schemas'],
];

/** What a mutation names and the file does not have: a way to the disk, by the path that was asked for. */
const FROM_DISK = `
import { dirname } from 'node:path';
function fromDisk(files: PageFiles, path: string) {
  const index = files.get('/index.html');
  return index && { file: join(dirname(index.file), decodeURIComponent(path)), type: 'text/plain' };
}
`;

const project = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'broadsheet-mutations-'));
const only = process.argv[2];
let missed = 0;
try {
  takeCopy();
  const before = firstFailure('');
  if (before !== null) throw new Error(`Without any change a test fails: ${before}`);
  for (const mutation of MUTATIONS) {
    if (only === undefined || mutation.join(' ').includes(only)) tell(mutation, failureOf(mutation));
  }
} finally {
  rmSync(copy, { recursive: true });
}
process.exitCode = missed === 0 ? 0 : 1;

function takeCopy(): void {
  const left = new Set(['node_modules', '.git', 'test-output', 'installers'].map((name) => join(project, name)));
  cpSync(project, copy, { recursive: true, filter: (path) => !left.has(path) });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
}

/** How the test fails without the protection; null where it passes all the same, or could not be run. */
function failureOf([file, found, instead, test]: Mutation): string | null {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  if (!whole.includes(found)) return null;
  const mutated = whole.replace(found, () => instead + (found === '' ? '\n' : ''));
  writeFileSync(path, instead.includes('fromDisk') ? mutated + FROM_DISK : mutated);
  try {
    return firstFailure(test);
  } finally {
    writeFileSync(path, whole);
  }
}

interface Report {
  testResults: {
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

function firstFailure(test: string): string | null {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const files = ['test/electron/security/checklist.test.ts', 'test/electron/security/security.test.ts'];
  const pattern = test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const vitest = join(project, 'node_modules/vitest/vitest.mjs');
  const args = ['run', ...files, '-t', pattern, '--project', 'main', '--reporter=json', `--outputFile=${report}`];
  spawnSync(process.execPath, [vitest, ...args], { cwd: copy, timeout: 120_000, stdio: 'ignore' });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed');
  if (failed) return `"${failed.fullName.trim()}": ${firstLine(failed.failureMessages[0])}`;
  // The host may not even start, and then no test does.
  const broken = testResults.find(({ status }) => status === 'failed');
  return broken ? `"${test}": ${firstLine(broken.message)}` : null;
}

function firstLine(text = ''): string {
  return text.split('\n', 1)[0] ?? '';
}

function tell([file, found, instead]: Mutation, failure: string | null): void {
  const what = `${file}: ${short(found) || 'nothing'} -> ${short(instead) || 'nothing'}`;
  if (failure === null) missed += 1;
  process.stdout.write(failure === null ? `MISSED  ${what}\n` : `noticed ${what}\n        ${failure}\n`);
}

function short(text: string): string {
  return text.trim().replace(/\s+/g, ' ').slice(0, 90);
}
