import { existsSync, globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Electron from 'electron';
import { FuseV1Options } from '@electron/fuses';
import packageJson from '../../../package.json' with { type: 'json' };
import installers from '../../../electron-builder.config.ts';
import { checkArgs, METHOD_NAMES } from '../../../src-main/contract/methods.ts';
import { pagePolicy } from '../../../src-main/core/page-files.ts';
import { confine, openLink, denyPermissions } from '../../../src-main/electron/security/security.ts';
import { HEADERS as NODE_HEADERS } from '../../../src-main/node/server/responses.ts';
import { fakeClock } from '../../support/clock.ts';
import { importsOf } from '../../support/layering/imports.ts';
import { madeOf } from '../support/built-code.ts';
import { runHost, type FakeHost } from '../fake/index.ts';
import { DownloadItem, emitted, FakeSession, WebContents } from '../fake/electron.ts';

// Electron's security checklist (its tutorial "Security") and Broadsheet's additional rules, one test each.
// Each test is known to fail without its protection.

const PAGE = 'app://broadsheet/index.html';
const BLOB = 'blob:app://broadsheet/5f1c2b9e-0000-4000-8000-000000000000';

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const sources = globSync('{src-main,src-renderer}/**/*.{ts,js,svelte,html}').map((path) => path.replaceAll('\\', '/'));
/** The positions in the sources of code that must not exist, or must exist only once. */
const placesOf = (pattern: RegExp, files: string[] = sources): string[] =>
  files.filter((file) => pattern.test(read(file)));

/** A content security policy as directive -> allowed sources. */
function parsed(policy: string): Map<string, string[]> {
  return new Map(
    policy.split(';').map((rule) => {
      const [name = '', ...allowed] = rule.trim().split(/\s+/);
      return [name, allowed];
    }),
  );
}

let host: FakeHost;
beforeAll(async () => {
  host = await runHost();
});
afterAll(() => host.close());

describe("Electron's checklist", () => {
  it('1 and 5 the session refuses network and disk, permissions, devices, the screen, and dictionaries', async () => {
    expect(await host.driver.sessionRules()).toEqual({
      filtered: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file:///*'],
      network: { cancel: true },
      request: false,
      check: false,
      device: false,
      screen: null,
      spellChecks: false,
    });
  });

  it('1 only secure content is loaded: a window shows nothing but its own page', async () => {
    expect((await host.driver.records()).windows.map(({ address }) => new URL(address ?? '').host)).toEqual([
      'broadsheet',
    ]);
    expect(placesOf(/\.loadFile\(/)).toEqual([]);
  });

  it.each(PREFERENCES())('%s: %s is %s', async (_rule, name, value) => {
    const { windows } = await host.driver.records();
    expect(windows).toHaveLength(1);
    expect(windows[0]?.options.webPreferences?.[name]).toBe(value);
  });

  it('2 to 14 a window has these preferences, and no others', async () => {
    const { options } = (await host.driver.records()).windows[0]!;
    const names = PREFERENCES().map(([_rule, name]) => name);
    expect(Object.keys(options.webPreferences ?? {}).sort()).toEqual([...names, 'preload'].sort());
    expect(existsSync(options.webPreferences?.preload ?? '')).toBe(true);
  });

  it('4 every page runs in the sandbox, also one without preferences', async () => {
    expect((await host.driver.records()).sandboxed).toBe(true);
  });

  it('4 the preload script uses nothing that the sandbox forbids', () => {
    const named = importsOf('preload.ts', read('src-main/preload/preload.ts'));
    expect(named.filter((name) => !name.startsWith('.'))).toEqual(['electron']);
  });

  it('2 to 14 all windows are made with them', () => {
    const makers = placesOf(/new BrowserWindow\(/);
    expect(makers.length).toBeGreaterThan(0);
    for (const file of makers) {
      const made = read(file).match(/new BrowserWindow\(/g);
      expect(read(file).match(/webPreferences: pagePreferences\(/g), file).toHaveLength(made?.length ?? 0);
    }
    expect(placesOf(/WebContentsView|BrowserView|webPreferences: \{/)).toEqual([]);
  });

  it.each(PERMISSIONS())('5 a page is denied %s', (permission) => {
    const { request, check } = asked(permission);
    expect([request(), check()]).toEqual([false, false]);
  });

  it('5 a page may copy text, but no other page and no frame', () => {
    const { request, check } = asked('clipboard-sanitized-write');
    expect([request(), check()]).toEqual([true, true]);
    for (const other of [{ url: 'https://example.com/' }, { url: 'app://other/' }, { isMainFrame: false }]) {
      expect([request(other), check(other)]).toEqual([false, false]);
    }
  });

  it('5 a page gets no device: USB, HID, serial, Bluetooth', () => {
    // Without a listener Electron cancels the selection; a listener that does not prevent it gets the first device.
    expect(placesOf(/'select-(?:usb|hid|serial|bluetooth)|setBluetoothPairingHandler|setUSBProtectedClasses/)).toEqual(
      [],
    );
  });

  describe.each([
    ['desktop', pagePolicy("'none'")],
    ['browser', String(NODE_HEADERS['content-security-policy'])],
  ])('7 the content policy, %s', (_host, policy) => {
    it('allows only what it names', () => {
      expect(parsed(policy).get('default-src')).toEqual(["'none'"]);
      for (const name of ['base-uri', 'form-action', 'frame-ancestors'])
        expect(parsed(policy).get(name)).toEqual(["'none'"]);
    });

    it('allows no inline code or style, no eval, no host and no wildcard', () => {
      expect(parsed(policy).get('script-src')).toEqual(["'self'"]);
      expect(parsed(policy).get('style-src')).toEqual(["'self'"]);
      const allowed = [...parsed(policy).values()].flat();
      expect(
        allowed.filter((source) => /unsafe|\*|nonce|sha\d|:\/\/|^(?:https?|wss?|blob|filesystem):/.test(source)),
      ).toEqual([]);
    });

    it('allows data: only for images', () => {
      const holders = [...parsed(policy)].filter(([, allowed]) => allowed.includes('data:')).map(([name]) => name);
      expect(holders).toEqual(['img-src']);
    });

    it('does not allow text as markup or code (Trusted Types)', () => {
      expect(parsed(policy).get('require-trusted-types-for')).toEqual(["'script'"]);
      expect(parsed(policy).get('trusted-types')).toEqual(['svelte-trusted-html']);
    });
  });

  it('7 the content policy is sent with every response of the scheme, errors too', async () => {
    for (const url of [PAGE, 'app://broadsheet/missing', 'app://elsewhere/']) {
      expect((await host.driver.request(url)).headers['content-security-policy']).toBe(pagePolicy("'none'"));
    }
    expect((await host.driver.request(PAGE, 'POST')).headers['content-security-policy']).toBe(pagePolicy("'none'"));
  });

  it('7 the page needs no exception from the policy: no inline script, style or handler', () => {
    expect(read('src-renderer/index.html')).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=|javascript:/);
    expect(placesOf(/\bsetAttribute\(\s*['"](?:style|on\w+)['"]/)).toEqual([]);
  });

  it('9 and 10 no switches of Chromium', () => {
    // The voices of Linux are no experiment: without the switch, Chromium doesn't look for them.
    expect(placesOf(/appendSwitch(?!\('enable-speech-dispatcher'\))|appendArgument/)).toEqual([]);
  });

  it('11 and 12 there are no guest pages', async () => {
    expect(await host.driver.attachGuest()).toBe(true);
    expect(placesOf(/<webview|allowpopups/)).toEqual([]);
  });

  it.each([
    'https://example.com/',
    'app://broadsheet.example/',
    'app://elsewhere/',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:alert(1)',
    'about:blank',
  ])('13 a window does not navigate to %s, and does not open it in the browser', (url) => {
    const { contents, left, input } = confined();
    input('mouseUp');
    for (const isMainFrame of [true, false])
      expect(emitted(contents, 'will-frame-navigate', { url, isMainFrame })).toBe(true);
    expect(emitted(contents, 'will-redirect', { url, isMainFrame: true })).toBe(true);
    expect(left).toEqual([]);
  });

  it('13 a window may load its own page again, but not in a frame', () => {
    const { contents } = confined();
    const own = { url: `${PAGE}#a`, isMainFrame: true };
    expect(emitted(contents, 'will-frame-navigate', own)).toBe(false);
    expect(emitted(contents, 'will-frame-navigate', { ...own, isMainFrame: false })).toBe(true);
  });

  it('13 the windows of the app are confined so', async () => {
    expect(await host.driver.navigate('https://example.com/')).toBe(true);
    expect(await host.driver.openWindow('https://example.com/')).toBe('deny');
  });

  it.each(['https://example.com/', PAGE, 'about:blank', 'file:///etc/passwd'])(
    '14 a page opens no window: %s',
    (url) => {
      const { contents, input } = confined();
      expect(contents.openHandler?.({ url } as never)).toEqual({ action: 'deny' });
      input('mouseUp');
      expect(contents.openHandler?.({ url } as never)).toEqual({ action: 'deny' });
    },
  );

  it('14 an address is opened in the browser after a click only, once per click', () => {
    const { contents, left, clock, input } = confined();
    const open = (url: string) => contents.openHandler?.({ url } as never);
    for (const type of ['mouseMove', 'mouseDown', 'mouseWheel', 'keyDown']) input(type);
    open('https://example.com/script');
    input('mouseUp');
    open('https://example.com/click');
    open('https://example.com/second');
    input('mouseUp');
    clock.advance(1_001);
    open('https://example.com/late');
    expect(left).toEqual(['https://example.com/click']);
  });

  it('15 openExternal is called in one place', () => {
    expect(
      placesOf(
        /\.openExternal\(/,
        sources.filter((file) => file.startsWith('src-main/electron/')),
      ),
    ).toEqual(['src-main/electron/security/security.ts']);
  });

  it.each(HOSTILE())('15 that place refuses %j', async (address) => {
    const opened: string[] = [];
    const shell = { openExternal: async (url: string) => void opened.push(url) };
    await expect(openLink(shell, address)).rejects.toMatchObject({ code: 'link_refused' });
    expect(opened).toEqual([]);
  });

  it.each([
    ['https:\\\\example.com\\a', 'https://example.com/a'],
    ['HTTPS:example.com/ b', 'https://example.com/%20b'],
    ['https://例子.测试/路径', 'https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84'],
    [' https://example.com/"&calc\n', 'https://example.com/%22&calc'],
  ])('15 that place opens the checked address, not the given one: %j', async (address, checked) => {
    const opened: string[] = [];
    const shell = { openExternal: async (url: string) => void opened.push(url) };
    await openLink(shell, address);
    expect(opened).toEqual([checked]);
  });

  it('16 Electron is up to date, and the same version everywhere', () => {
    const locked = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
    expect(packageJson.devDependencies.electron).toBe(locked.packages['node_modules/electron']?.version);
    expect(Number.parseInt(packageJson.devDependencies.electron)).toBeGreaterThanOrEqual(45);
  });
});

describe("Broadsheet's additional rules", () => {
  it('17 IPC has one channel for calls, whose senders ipc.test.ts refuses, and none for messages', async () => {
    expect(await host.driver.channels()).toEqual({ invoke: ['broadsheet:call'], message: [] });
  });

  it.each(METHOD_NAMES)('IPC checks the arguments of %s', (method) => {
    for (const args of [undefined, null, 'text', [], { surprise: 1 }, { __proto__: null, constructor: 1 }]) {
      expect(() => checkArgs(method, args)).toThrow();
    }
  });

  it('IPC passes on no argument that a guard does not name', () => {
    const open = /\bz\.(?:object|looseObject|any|unknown|json)\(|\.(?:passthrough|loose|catchall)\(/;
    expect(placesOf(open, ['src-main/contract/guards.ts', 'src-main/contract/methods.ts'])).toEqual([]);
  });

  it.each([7, null, { toString: 1 }])('IPC has no method %j, which the preload script makes a text', async (method) => {
    expect(await host.driver.call(method, {})).toMatchObject({ ok: false, error: { code: 'unknown_method' } });
  });

  it('the scheme has no rights beyond those of a page, and files have none of them', async () => {
    const { schemes } = await host.driver.records();
    const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
    expect(schemes).toEqual([{ scheme: 'app', privileges }]);
  });

  it.each([
    ['a web address', 'https://example.com/a.exe', 'app://broadsheet'],
    ["a file of the page's scheme", PAGE, 'app://broadsheet'],
    ['a data address', 'data:text/plain,a', 'app://broadsheet'],
    ['a local file', 'file:///etc/passwd', 'app://broadsheet'],
    ["another origin's Blob", 'blob:https://example.com/0', 'app://broadsheet'],
    ["another host's Blob", 'blob:app://elsewhere/0', 'app://broadsheet'],
    ['a Blob without origin', 'blob:null/0', 'app://broadsheet'],
    ["a Blob that says the page's name and is not its own", 'blob:https://app://broadsheet/0', 'app://broadsheet'],
    ['an invalid address', '', 'app://broadsheet'],
    ["the page's Blob for another origin", BLOB, 'https://example.com'],
    ["the page's Blob for no origin", BLOB, 'null'],
    ["the page's Blob for no page at all", BLOB, ''],
  ])('the download of %s is cancelled', (_what, url, initiator) => {
    expect(download({ url, initiator, name: 'a' })).toEqual({ cancelled: true, saveDialog: null });
  });

  it('a file that the page generated is saved where the user says, under its name', () => {
    expect(download({ url: BLOB, initiator: 'app://broadsheet', name: 'daily.md' })).toEqual({
      cancelled: false,
      saveDialog: { title: 'daily.md' },
    });
  });

  it('no certificate is accepted that the system does not trust', () => {
    const ways =
      /certificate-error|setCertificateVerifyProc|NODE_TLS_REJECT|rejectUnauthorized|ignore-certificate|checkServerIdentity/;
    expect(placesOf(ways)).toEqual([]);
  });

  it('no page can ask for a password or client certificate', () => {
    expect(placesOf(/on\('(?:login|select-client-certificate)'/)).toEqual([]);
  });

  it('an installed app has no developer tools in its menu', async () => {
    expect(JSON.stringify((await host.driver.records()).menu)).not.toMatch(/toggleDevTools|forceReload/i);
    expect(placesOf(/\.openDevTools\(|--remote-debugging|--inspect/)).toEqual([]);
  });

  it('there is no remote module', () => {
    const named = { ...packageJson.dependencies, ...packageJson.devDependencies };
    expect(Object.keys(named).filter((name) => /remote/.test(name))).toEqual([]);
    expect(placesOf(/@electron\/remote|enableRemoteModule/)).toEqual([]);
  });

  it('no source runs text as code or inserts it as markup', () => {
    expect(placesOf(/\beval\(|\bnew Function\b|\bFunction\(|\bvm\.|from 'node:vm'/)).toEqual([]);
    expect(placesOf(/\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment/)).toEqual(
      [],
    );
  });

  it.each(['src-main/core/core.ts', 'src-renderer/main.ts', 'src-renderer/views/App.svelte', 'scripts/check.mjs'])(
    'the linter rejects eval and similar functions: %s',
    async (file) => {
      const { ESLint } = await import('eslint');
      const { rules } = (await new ESLint().calculateConfigForFile(file)) as { rules: Record<string, [number]> };
      for (const rule of ['no-eval', 'no-new-func', 'svelte/no-at-html-tags']) expect(rules[rule]?.[0], rule).toBe(2);
      // With type information, a typed rule replaces the plain one.
      const implied = [rules['no-implied-eval'], rules['@typescript-eslint/no-implied-eval']];
      expect(implied.map((rule) => rule?.[0])).toContain(2);
    },
  );

  it('every fuse that the packer knows is set at packaging', () => {
    expect(installers.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      onlyLoadAppFromAsar: true,
      enableEmbeddedAsarIntegrityValidation: true,
      enableCookieEncryption: false,
      grantFileProtocolExtraPrivileges: false,
      loadBrowserProcessSpecificV8Snapshot: false,
      // No fuse: it signs again what the fuses changed.
      resetAdHocDarwinSignature: true,
    });
    const known = Object.keys(FuseV1Options).filter((name) => !/^\d+$/.test(name));
    const lowerCase = (names: string[]) => names.map((name) => name.toLowerCase()).sort();
    expect(lowerCase(Object.keys(installers.electronFuses ?? {}))).toEqual(
      lowerCase([...known, 'resetAdHocDarwinSignature']),
    );
  });

  it('the packed app is an archive with an integrity check', () => {
    expect(installers.asar).toBeTruthy();
    expect(installers.disableAsarIntegrity ?? false).toBe(false);
    expect(installers.asarUnpack).toEqual(['node_modules/better-sqlite3/prebuilds/*.node', 'resources/icons/512.png']);
  });

  it('the hosted workflow audits the dependencies', () => {
    expect(read('.github/workflows/ci.yml')).toMatch(/^ {6}- run: npm audit --audit-level=high$/m);
  });
});

const isBuilt = existsSync(new URL('../../../out/renderer/index.html', import.meta.url));
const FROM_TEXT = /\beval\(|\bnew Function\b|[^.\w]Function\(/g;

describe.skipIf(!isBuilt)('the built code (skipped before "npm run build")', () => {
  it('the page contains no inline code or style', () => {
    const page = read('out/renderer/index.html');
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=|javascript:/);
    expect([...page.matchAll(/(?:src|href)="([^"]+)"/g)].filter(([, path]) => !path?.startsWith('./'))).toEqual([]);
  });

  it('nothing in page and preload script runs text as code', () => {
    expect(madeOf('out/renderer/**/*.js', FROM_TEXT)).toEqual([]);
    expect(madeOf('out/preload/*.cjs', FROM_TEXT)).toEqual([]);
  });

  it("nothing in the page inserts markup except Svelte's own templates", () => {
    expect(madeOf('out/renderer/**/*.js', /\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/g)).toEqual([
      'svelte',
    ]);
  });

  it('the host could do so only in schema validators, with schemas of the app', () => {
    // zod compiles checks to code for speed. ajv is a dependency of the settings store, which uses no schema.
    expect(madeOf('out/main/**/*.js', FROM_TEXT)).toEqual(['ajv', 'zod']);
    expect(placesOf(/new (?:Conf|ElectronStore|Store)\([^)]*schema/)).toEqual([]);
  });
});

type Preference = keyof Electron.WebPreferences;

function PREFERENCES(): [string, Preference, boolean][] {
  return [
    ['2 no Node in the page', 'nodeIntegration', false],
    ['2 no Node in the page', 'nodeIntegrationInWorker', false],
    ['2 no Node in the page', 'nodeIntegrationInSubFrames', false],
    ['3 the preload script has its own world', 'contextIsolation', true],
    ['4 every page runs in the sandbox', 'sandbox', true],
    ['6 webSecurity is on', 'webSecurity', true],
    ['8 insecure content does not run', 'allowRunningInsecureContent', false],
    ['9 no experimental features', 'experimentalFeatures', false],
    ['11 there are no guest pages', 'webviewTag', false],
    ['13 a dropped file or link does not replace the page', 'navigateOnDragDrop', false],
    ['a page cannot show dialogs', 'disableDialogs', true],
    ['the spell checker downloads no dictionaries', 'spellcheck', false],
  ];
}

function PERMISSIONS(): string[] {
  const denied =
    'clipboard-read deprecated-sync-clipboard-read display-capture fileSystem fullscreen geolocation hid idle-detection ' +
    'keyboardLock local-fonts local-network media mediaKeySystem midi midiSysex nfc notifications openExternal pointerLock ' +
    'serial speaker-selection storage-access top-level-storage-access usb window-management unknown';
  return denied.split(' ');
}

/** In addition to those of safe-link.test.ts. */
function HOSTILE(): string[] {
  return [
    'file://server/share/a.exe',
    '\\\\server\\share\\a.exe',
    'C:\\Windows\\System32\\calc.exe',
    'java\tscript:alert(1)',
    'ms-msdt:/id PCWDiagnostic',
    'search-ms:query=x',
    'ms-officecmd:{}',
    'smb://server/share',
    'ftp://example.com/',
    'ssh://-oProxyCommand=calc',
    'app://broadsheet/index.html',
    'broadsheet://item/1',
    'about:blank',
    'view-source:https://example.com/',
    'https://user@example.com/',
    'https://bank.example@evil.example/',
    'https:',
    '--help',
  ];
}

/** A page's contents, and the addresses that it opened in the browser. */
function confined() {
  const contents = new WebContents();
  const left: string[] = [];
  const clock = fakeClock();
  confine(contents as never, (address) => left.push(address), clock);
  return { contents, left, clock, input: (type: string) => emitted(contents, 'input-event', {}, { type }) };
}

/** The session's answer to a download: cancelled, or the options of its dialog. */
function download(from: { url: string; initiator: string; name: string }) {
  const session = new FakeSession();
  denyPermissions(session as never);
  const item = new DownloadItem(from);
  const cancelled = emitted(session, 'will-download', {}, item);
  return { cancelled, saveDialog: item.saveDialog };
}

/** The session's answers to a permission request of a page, by request and by check. */
function asked(permission: string) {
  const session = new FakeSession();
  denyPermissions(session as never);
  const from = { url: PAGE, isMainFrame: true };
  return {
    request(other: Partial<typeof from> = {}) {
      const { url, isMainFrame } = { ...from, ...other };
      let granted: boolean | undefined;
      session.permissionRequest?.(null as never, permission as never, (answer) => (granted = answer), {
        requestingUrl: url,
        isMainFrame,
      });
      return granted;
    },
    check(other: Partial<typeof from> = {}) {
      const { url, isMainFrame } = { ...from, ...other };
      return session.permissionCheck?.(null, permission as never, new URL('/', url).href, {
        requestingUrl: url,
        isMainFrame,
      });
    },
  };
}
