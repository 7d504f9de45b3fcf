import { describe, expect, it } from 'vitest';
import { whyNoWindow } from '../../scripts/setup/electron_binary.mjs';
import { causeIn, describeFailure, Failure } from '../../scripts/setup/failure.mjs';
import { addressIn, mayOpenBrowser } from '../../scripts/setup/in_browser.mjs';
import { tooOldNode } from '../../scripts/setup/node_version.mjs';

describe('the Node that starts a command', () => {
  it.each(['20.0.0', '20.20.2', '24.21.0', '100.1.0'])('may be %s', (version) => {
    expect(tooOldNode(version)).toBeNull();
  });

  it.each(['8.17.0', '18.19.1'])('may not be %s, and is told so in one line', (version) => {
    expect(tooOldNode(version)).toBe(
      `Node ${version} is too old: Broadsheet needs Node 20 or newer to start. Get it from https://nodejs.org.`,
    );
  });
});

describe('the desktop window', () => {
  const linux = { platform: 'linux', isRoot: false } as const;

  it.each([
    ['no display', { ...linux, env: {} }, 'there is no display'],
    ['an empty display', { ...linux, env: { DISPLAY: '' } }, 'there is no display'],
    ['root', { ...linux, isRoot: true, env: { DISPLAY: ':0' } }, 'Electron does not run as root'],
  ])('does not open on Linux with %s', (_what, machine, reason) => {
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

describe('the browser that is opened in its place', () => {
  it.each([
    ['a desktop', { platform: 'linux', env: { DISPLAY: ':0' } } as const, true],
    ['macOS', { platform: 'darwin', env: {} } as const, true],
    ['a machine without a display', { platform: 'linux', env: {} } as const, false],
    ['a build machine', { platform: 'darwin', env: { CI: 'true' } } as const, false],
    ['someone who wants none', { platform: 'darwin', env: { BROWSER: 'none' } } as const, false],
  ])('on %s', (_what, machine, opens) => {
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
    ['TypeError: x is not a function', undefined],
  ])('finds the cause in %j', (output, cause) => {
    expect(causeIn(output)).toBe(cause);
  });

  it('is the message itself where it was written for a person', () => {
    expect(describeFailure(new Failure('The build failed.', { details: 'line 1\nline 2' }))).toBe('The build failed.');
  });

  it('names the cause of a system error and keeps to one line', () => {
    expect(describeFailure(new Error("ENOSPC: no space left on device, write '/x'\nmore"))).toBe(
      "the disk is full (ENOSPC): write '/x'",
    );
  });

  it('copes with what is no error', () => {
    expect(describeFailure('broken')).toBe('broken');
  });
});
