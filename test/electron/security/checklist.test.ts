import { existsSync, globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FuseV1Options } from '@electron/fuses';
import packageJson from '../../../package.json' with { type: 'json' };
import installers from '../../../electron-builder.config.ts';
import { checkArgs, METHOD_NAMES } from '../../../src-main/contract/methods.ts';
import { pagePolicy } from '../../../src-main/core/page-files.ts';
import { openLink, denyPermissions, pagePreferences } from '../../../src-main/electron/security/security.ts';
import { listPage } from '../../../src-main/electron/page.ts';
import { HEADERS as NODE_HEADERS } from '../../../src-main/node/server/responses.ts';
import { importsOf } from '../../support/layering/imports.ts';
import { madeOf } from '../support/built-code.ts';
import { pathsThatLeadOut } from '../support/ways-out.ts';
import { runHost, type FakeHost } from '../fake/index.ts';
import { FakeSession } from '../fake/electron.ts';

// Electron's security checklist (its tutorial "Security") and Broadsheet's additional rules, one test each.
// Each test is known to fail without its protection.

const PAGE = 'app://broadsheet/index.html';

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

describe("Electron's checklist", () => {
  let host: FakeHost;
  beforeAll(async () => {
    host = await runHost();
  });
  afterAll(() => host.close());

  const preferences = async () =>
    (await host.driver.records()).windows.map(({ options }) => options.webPreferences ?? {});

  it.each(['https://example.com/a.js', 'http://127.0.0.1:1/', 'wss://example.com/', 'file:///etc/passwd'])(
    '1 only secure content is loaded: a window gets nothing from %s',
    async (url) => {
      expect(await host.driver.fetches(url)).toBe(false);
    },
  );

  it('1 only secure content is loaded: a window shows nothing but its own page', async () => {
    expect((await host.driver.records()).windows.map(({ address }) => new URL(address ?? '').host)).toEqual([
      'broadsheet',
    ]);
    expect(placesOf(/\.loadFile\(/)).toEqual([]);
  });

  it.each(['nodeIntegration', 'nodeIntegrationInWorker', 'nodeIntegrationInSubFrames'] as const)(
    '2 no Node in the page: %s',
    async (name) => {
      for (const given of await preferences()) expect(given[name]).toBe(false);
    },
  );

  it('3 the preload script has its own world, and exposes two functions', async () => {
    for (const given of await preferences()) expect(given.contextIsolation).toBe(true);
    expect(await host.driver.globals()).toEqual(['broadsheet']);
    expect(await host.driver.exposed()).toEqual({ call: 'function', on: 'function' });
  });

  it('4 every page runs in the sandbox', async () => {
    for (const given of await preferences()) expect(given.sandbox).toBe(true);
    expect((await host.driver.records()).sandboxed).toBe(true);
  });

  it('4 the preload script uses nothing that the sandbox forbids', () => {
    const named = importsOf('preload.ts', read('src-main/preload/preload.ts'));
    expect(named.filter((name) => !name.startsWith('.'))).toEqual(['electron']);
  });

  it('2 to 6 every window has these preferences, and no others', () => {
    const makers = placesOf(/new BrowserWindow\(/);
    expect(makers.length).toBeGreaterThan(0);
    for (const file of makers) {
      const made = read(file).match(/new BrowserWindow\(/g);
      expect(read(file).match(/webPreferences: pagePreferences\(/g), file).toHaveLength(made?.length ?? 0);
    }
    expect(placesOf(/WebContentsView|BrowserView|webPreferences: \{/)).toEqual([]);
  });

  it.each(PERMISSIONS())('5 a page is denied %s', async (permission) => {
    const { request, check } = asked(permission);
    expect([request(), check()]).toEqual([false, false]);
    expect(await host.driver.permission(permission)).toMatchObject({ requested: false, checked: false });
  });

  it('5 a page may copy text, but no other page and no frame', () => {
    const { request, check } = asked('clipboard-sanitized-write');
    expect([request(), check()]).toEqual([true, true]);
    for (const other of [{ url: 'https://example.com/' }, { url: 'app://other/' }, { isMainFrame: false }]) {
      expect([request(other), check(other)]).toEqual([false, false]);
    }
  });

  it('5 a page gets no device: USB, HID, serial, Bluetooth', async () => {
    expect((await host.driver.permission('usb')).device).toBe(false);
    // Without a listener Electron cancels the selection; a listener that does not prevent it gets the first device.
    expect(placesOf(/'select-(?:usb|hid|serial|bluetooth)|setBluetoothPairingHandler|setUSBProtectedClasses/)).toEqual(
      [],
    );
  });

  it('5 a page cannot capture the screen', async () => {
    expect(await host.driver.seesOfScreen()).toBe(null);
  });

  it('6 webSecurity is on', async () => {
    for (const given of await preferences()) expect(given.webSecurity).toBe(true);
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

  it('8 insecure content does not run', async () => {
    for (const given of await preferences()) expect(given.allowRunningInsecureContent).toBe(false);
  });

  it('9 and 10 no experimental features of Chromium or Blink', async () => {
    for (const given of await preferences()) {
      expect(given.experimentalFeatures).toBe(false);
      expect(Object.keys(given)).not.toContain('enableBlinkFeatures');
    }
    // The voices of Linux are no experiment: without the switch, Chromium doesn't look for them.
    expect(placesOf(/appendSwitch(?!\('enable-speech-dispatcher'\))|appendArgument/)).toEqual([]);
  });

  it('11 and 12 there are no guest pages', async () => {
    for (const given of await preferences()) expect(given.webviewTag).toBe(false);
    expect(await host.driver.attachGuest()).toBe(true);
    expect(placesOf(/<webview|allowpopups/)).toEqual([]);
  });

  it.each([
    'https://example.com/',
    'app://broadsheet.example/',
    'app://elsewhere/',
    'file:///etc/passwd',
    'data:text/html,x',
  ])('13 a window does not navigate to %s', async (url) => {
    expect(await host.driver.navigate(url)).toBe(true);
    expect(await host.driver.navigate(url, false)).toBe(true);
    expect(await host.driver.redirect(url)).toBe(true);
  });

  it('13 a dropped file or link does not replace the page', async () => {
    for (const given of await preferences()) expect(given.navigateOnDragDrop).toBe(false);
  });

  it.each(['https://example.com/', PAGE, 'about:blank', 'file:///etc/passwd'])(
    '14 a page opens no window: %s',
    async (url) => {
      expect(await host.driver.openWindow(url)).toBe('deny');
    },
  );

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
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['HTTP://Example.com', 'http://example.com/'],
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

  it.each([
    ['a page of the web', { url: 'https://example.com/' }],
    ['a page whose host only starts the same', { url: 'app://broadsheet.example/index.html' }],
    ['a nested frame', { url: PAGE, within: PAGE }],
    ['a frame that is gone', 'gone' as const],
  ])('17 IPC answers no %s', async (_who, sender) => {
    expect(await host.driver.callAs(sender, 'app.capabilities', {})).toMatchObject({
      ok: false,
      error: { code: 'forbidden_sender' },
    });
  });
});

describe("Broadsheet's additional rules", () => {
  let host: FakeHost;
  beforeAll(async () => {
    host = await runHost();
  });
  afterAll(() => host.close());

  it('IPC has one channel for calls, and none for messages', async () => {
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

  it.each(['constructor', '__proto__', 'toString', 'items.drop', '', 7, null, { toString: 1 }])(
    'IPC has no method %j',
    async (method) => {
      // Bypasses the preload script, which would convert it to a string.
      expect(await host.driver.callAs({ url: PAGE }, method, {})).toMatchObject({
        ok: false,
        error: { code: 'unknown_method' },
      });
    },
  );

  it('the scheme serves only the files of the page', async () => {
    const { files, ask, secret, remove } = await pathsThatLeadOut();
    try {
      for (const url of files) {
        const { status, text } = await ask(url);
        expect(status, url).toBe(404);
        expect(text, url).not.toContain(secret);
      }
    } finally {
      await remove();
    }
  });

  it('the scheme has no rights beyond those of a page, and files have none of them', async () => {
    const { schemes } = await host.driver.records();
    const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
    expect(schemes).toEqual([{ scheme: 'app', privileges }]);
    expect(listPage('/nowhere').size).toBe(0);
  });

  it('no certificate is accepted that the system does not trust', () => {
    const ways =
      /certificate-error|setCertificateVerifyProc|NODE_TLS_REJECT|rejectUnauthorized|ignore-certificate|checkServerIdentity/;
    expect(placesOf(ways)).toEqual([]);
  });

  it('no page can ask for a password or client certificate', () => {
    expect(placesOf(/on\('(?:login|select-client-certificate)'/)).toEqual([]);
  });

  it('the spell checker downloads no dictionaries', async () => {
    expect(await host.driver.spellChecks()).toBe(false);
    const { windows } = await host.driver.records();
    for (const { options } of windows) expect(options.webPreferences?.spellcheck).toBe(false);
  });

  it('a page cannot show dialogs', () => {
    expect(pagePreferences('/preload.cjs').disableDialogs).toBe(true);
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

  it.each(FUSES())('the fuse %s is set at packaging', (name, on) => {
    const inEnum = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    expect(Object.keys(FuseV1Options)).toContain(inEnum);
    expect(installers.electronFuses?.[name]).toBe(on);
  });

  it('all fuses known to the packer are set', () => {
    const known = Object.keys(FuseV1Options).filter((name) => !/^\d+$/.test(name));
    expect(
      FUSES()
        .map(([name]) => name.toLowerCase())
        .sort(),
    ).toEqual(known.map((name) => name.toLowerCase()).sort());
  });

  it('the packed app is an archive with an integrity check', () => {
    expect(installers.asar).toBeTruthy();
    expect(installers.disableAsarIntegrity ?? false).toBe(false);
    expect(installers.asarUnpack).toEqual(['node_modules/better-sqlite3/prebuilds/*.node', 'resources/icons/512.png']);
  });

  it('npm run check audits the dependencies', () => {
    expect(read('scripts/check.mjs')).toMatch(/passAll\(\), passesAudit\(\)/);
    expect(packageJson.scripts.check).toBe('node scripts/check.mjs');
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

function PERMISSIONS(): string[] {
  const denied =
    'clipboard-read deprecated-sync-clipboard-read display-capture fileSystem fullscreen geolocation hid idle-detection ' +
    'keyboardLock local-fonts local-network media mediaKeySystem midi midiSysex nfc notifications openExternal pointerLock ' +
    'serial speaker-selection storage-access top-level-storage-access usb window-management unknown';
  return denied.split(' ');
}

function HOSTILE(): string[] {
  return [
    'file:///etc/passwd',
    'file://server/share/a.exe',
    '\\\\server\\share\\a.exe',
    'C:\\Windows\\System32\\calc.exe',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'ms-msdt:/id PCWDiagnostic',
    'search-ms:query=x',
    'ms-officecmd:{}',
    'smb://server/share',
    'ftp://example.com/',
    'ssh://-oProxyCommand=calc',
    'mailto:a@example.com',
    'app://broadsheet/index.html',
    'broadsheet://item/1',
    'about:blank',
    'blob:https://example.com/0',
    'view-source:https://example.com/',
    'https://user@example.com/',
    'https://user:word@example.com/',
    'https://bank.example@evil.example/',
    'https:',
    '//example.com',
    'example.com',
    '--help',
    '',
  ];
}

type Fuse = keyof NonNullable<typeof installers.electronFuses>;

function FUSES(): [Fuse, boolean][] {
  return [
    ['runAsNode', false],
    ['enableNodeOptionsEnvironmentVariable', false],
    ['enableNodeCliInspectArguments', false],
    ['onlyLoadAppFromAsar', true],
    ['enableEmbeddedAsarIntegrityValidation', true],
    ['enableCookieEncryption', false],
    ['grantFileProtocolExtraPrivileges', false],
    ['loadBrowserProcessSpecificV8Snapshot', false],
  ];
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
