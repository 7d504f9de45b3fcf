import { describe, expect, it } from 'vitest';
import { desktopEnvironment, isSwitch } from '../../scripts/setup/electron/desktop.mjs';
import { whyNoWindow } from '../../scripts/setup/electron/binary.mjs';
import { causeIn, describeFailure, Failure } from '../../scripts/setup/failure.mjs';
import { addressIn } from '../../scripts/setup/in-browser.mjs';
import { tooOldNode } from '../../scripts/setup/node-version.mjs';
import { mayOpenBrowser } from '../../scripts/setup/open-privately.mjs';

describe('the Node that starts a command', () => {
  it.each(['20.0.0', '20.20.2', '24.21.0', '100.1.0'])('can be %s', (version) => {
    expect(tooOldNode(version)).toBeNull();
  });

  it.each(['8.17.0', '18.19.1'])('cannot be %s, with a message in one line', (version) => {
    expect(tooOldNode(version)).toBe(
      `Node ${version} is too old: Broadsheet needs Node 20 or newer to start. Download it from https://nodejs.org.`,
    );
  });
});

describe('the desktop window', () => {
  const linux = { platform: 'linux', isRoot: false } as const;

  it.each([
    ['no display', { ...linux, env: {} }, 'there is no display'],
    ['an empty display', { ...linux, env: { DISPLAY: '' } }, 'there is no display'],
    ['root', { ...linux, isRoot: true, env: { DISPLAY: ':0' } }, 'Electron does not run as root'],
  ])('cannot open on Linux with %s', (_what, machine, reason) => {
    expect(whyNoWindow(machine)).toBe(reason);
  });

  it.each([
    ['X11', { ...linux, env: { DISPLAY: ':0' } }],
    ['Wayland', { ...linux, env: { WAYLAND_DISPLAY: 'wayland-0' } }],
    ['macOS', { platform: 'darwin', isRoot: true, env: {} } as const],
    ['Windows', { platform: 'win32', isRoot: false, env: {} } as const],
  ])('opens on %s', (_what, machine) => {
    expect(whyNoWindow(machine)).toBeNull();
  });
});

describe('the options of the desktop app', () => {
  const HELP = 'See npm run start -- --help';

  it.each([
    [[], {}],
    [['--data', 'a folder'], { BROADSHEET_DATA: 'a folder' }],
    [['--data=-odd'], { BROADSHEET_DATA: '-odd' }],
    [['--news', 'http://127.0.0.1:4000/base'], { BROADSHEET_NEWS_URL: 'http://127.0.0.1:4000/base' }],
    [['--demo', 'harsh'], { BROADSHEET_DEMO: 'harsh' }],
    [['--demo=standard'], { BROADSHEET_DEMO: 'standard' }],
    [['--disable-gpu', '--demo=harsh', '--ozone-platform=x11'], { BROADSHEET_DEMO: 'harsh' }],
    [['--models', 'https://models.example'], { BROADSHEET_MODELS_URL: 'https://models.example' }],
    [
      ['--news=https://news.example', '--data', '/a'],
      { BROADSHEET_DATA: '/a', BROADSHEET_NEWS_URL: 'https://news.example' },
    ],
  ])('%j', (args, environment) => {
    expect(desktopEnvironment(args)).toEqual(environment);
  });

  it.each([
    [['--port', '80'], "Unknown option '--port'"],
    [['--data'], "Option '--data <value>' argument missing"],
    [['--data='], '--data needs a folder'],
    [['--data', '--news'], "Option '--data' argument is ambiguous"],
    [['a.folder/there. Or not'], "Unexpected argument 'a.folder/there. Or not'"],
  ])('cannot be %j, with a message in one line', (args, what) => {
    expect(() => desktopEnvironment(args)).toThrow(new Failure(`${what}. ${HELP}`));
  });

  it.each([
    ['--disable-gpu', true],
    ['--ozone-platform=x11', true],
    ['--force-device-scale-factor=1.5', true],
    ['--password-store=gnome-libsecret', true],
    ['--ozone-platform', false],
    ['--disable-gpu-sandbox', false],
    ['--no-sandbox', false],
    ['--remote-debugging-port=9222', false],
  ])('include a switch of Chromium: %s is one: %s', (arg, is) => {
    expect(isSwitch(arg)).toBe(is);
  });

  it.each([
    [['--demo', 'kind'], `--demo must be one of standard, harsh. ${HELP}`],
    [['--demo', 'harsh', '--news', 'https://news.example'], 'Use either --demo or --news.'],
  ])('cannot be %j', (args, what) => {
    expect(() => desktopEnvironment(args)).toThrow(new Failure(what));
  });

  it.each(['ftp://news.example', 'news.example', 'https://a:b@news.example', 'https://news.example/?q=1', ''])(
    'cannot be the service %j',
    (address) => {
      for (const option of ['--news', '--models'])
        expect(() => desktopEnvironment([option, address])).toThrow(
          new Failure(`${option} must be an http or https address without user name, query and fragment. ${HELP}`),
        );
    },
  );
});

describe('the fallback in a browser', () => {
  it.each([
    ['a desktop', { platform: 'linux', env: { DISPLAY: ':0' } } as const, true],
    ['macOS', { platform: 'darwin', env: {} } as const, true],
    ['on a computer without a display', { platform: 'linux', env: {} } as const, false],
    ['in CI', { platform: 'darwin', env: { CI: 'true' } } as const, false],
    ['if the user wants none', { platform: 'darwin', env: { BROWSER: 'none' } } as const, false],
  ])('opens a browser %s: %s', (_what, machine, opens) => {
    expect(mayOpenBrowser(machine)).toBe(opens);
  });

  it.each([
    ['{"url":"http://127.0.0.1:4321/?token=abc"}', 'http://127.0.0.1:4321/?token=abc'],
    ['{"level":"info"}', null],
    ['{"url":7}', null],
    ['null', null],
    ['starting', null],
    ['', null],
  ])('reads the address from %j', (line, address) => {
    expect(addressIn(line)).toBe(address);
  });
});

describe('one line about a failure', () => {
  it.each([
    ['npm error code ENOTFOUND\nnpm error network request failed', 'the network cannot be reached (ENOTFOUND)'],
    ['npm warn\nnpm error nospc ENOSPC: no space left on device', 'the disk is full (ENOSPC)'],
    ['Error: EROFS: read-only file system', 'the folder is on a read-only disk (EROFS)'],
    [
      'Error: fetch failed: SELF_SIGNED_CERT_IN_CHAIN',
      'its certificate is not trusted: a virus scanner or proxy may replace it, and NODE_EXTRA_CA_CERTS can name theirs (SELF_SIGNED_CERT_IN_CHAIN)',
    ],
    ['TypeError: x is not a function', undefined],
  ])('finds the cause in %j', (output, cause) => {
    expect(causeIn(output)).toBe(cause);
  });

  it('is the message itself if it was written for users', () => {
    expect(describeFailure(new Failure('The build failed.', { details: 'line 1\nline 2' }))).toBe('The build failed.');
  });

  it('names the cause of a system error in one line', () => {
    expect(describeFailure(new Error("ENOSPC: no space left on device, write '/x'\nmore"))).toBe(
      "the disk is full (ENOSPC): write '/x'",
    );
  });

  it('copes with what is no error', () => {
    expect(describeFailure('broken')).toBe('broken');
  });
});
