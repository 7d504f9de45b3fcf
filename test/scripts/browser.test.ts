import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../scripts/setup/browser.mjs';

interface Given {
  platform?: NodeJS.Platform;
  env?: NodeJS.ProcessEnv;
  there?: string[];
  broken?: string[];
  cache?: string[];
}

function find({ platform = 'linux', env = { PATH: '/usr/bin:/opt/bin' }, there = [], broken = [], cache = [] }: Given) {
  return findBrowser({
    platform,
    env,
    home: platform === 'win32' ? 'C:\\Users\\reader' : '/home/reader',
    exists: (path) => there.includes(path),
    list: (folder) => (folder.endsWith('ms-playwright') ? cache : []),
    runs: (path) => !broken.includes(path),
  });
}

describe('the choice of a browser', () => {
  it('finds none on an empty computer', () => {
    expect(find({})).toBeNull();
  });

  it('prefers the browser set in the environment', () => {
    const env = { PATH: '/usr/bin', CHROMIUM_PATH: '/mine/chrome' };
    expect(find({ env, there: ['/usr/bin/chromium', '/mine/chrome'] })).toBe('/mine/chrome');
  });

  it('ignores a path that does not exist, and an empty one', () => {
    const env = { PATH: '/usr/bin', CHROMIUM_PATH: '', CHROME_PATH: '/gone/chrome' };
    expect(find({ env, there: ['/usr/bin/chromium'] })).toBe('/usr/bin/chromium');
  });

  it('searches the whole PATH', () => {
    expect(find({ there: ['/opt/bin/google-chrome'] })).toBe('/opt/bin/google-chrome');
  });

  it('skips a stub that does not run', () => {
    const there = ['/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
    expect(find({ there, broken: ['/usr/bin/chromium-browser'] })).toBe('/usr/bin/google-chrome');
  });

  it('finds macOS applications, of all users or of one', () => {
    const all = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
    const own = '/home/reader/Applications/Chromium.app/Contents/MacOS/Chromium';
    expect(find({ platform: 'darwin', there: [all] })).toBe(all);
    expect(find({ platform: 'darwin', there: [own] })).toBe(own);
  });

  it('finds Windows programs', () => {
    const env = { Path: 'C:\\Windows', ProgramFiles: 'C:\\Program Files' };
    const chrome = 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe';
    expect(find({ platform: 'win32', env, there: [chrome] })).toBe(chrome);
  });

  it("takes the newest full browser in Playwright's cache, and the shell only if there is no other", () => {
    const cache = ['chromium-900', 'chromium_headless_shell-1300', 'chromium-1255', 'firefox-1500', '.links'];
    const base = '/home/reader/.cache/ms-playwright';
    const shell = `${base}/chromium_headless_shell-1300/chrome-linux/headless_shell`;
    const older = `${base}/chromium-900/chrome-linux/chrome`;
    const newer = `${base}/chromium-1255/chrome-linux64/chrome`;
    expect(find({ cache, there: [shell, older, newer] })).toBe(newer);
    expect(find({ cache, there: [shell] })).toBe(shell);
  });
});
