import { describe, expect, it } from 'vitest';
import { confine, pagePreferences } from '../../src-main/electron/security.ts';
import { emitted, WebContents } from './standin/electron.ts';

function confined() {
  const contents = new WebContents();
  const left: string[] = [];
  confine(contents as never, (address) => left.push(address));
  return { contents, left };
}

describe("what a window's page may do", () => {
  it('runs sandboxed, isolated and without Node', () => {
    expect(pagePreferences('/preload.cjs')).toMatchObject({
      preload: '/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
  });

  it('may load itself again', () => {
    const { contents, left } = confined();
    expect(emitted(contents, 'will-frame-navigate', { url: 'app://broadsheet/index.html#a', isMainFrame: true })).toBe(
      false,
    );
    expect(left).toEqual([]);
  });

  it.each([
    'https://example.com/',
    'file:///etc/passwd',
    'app://broadsheet.example/',
    'javascript:alert(1)',
    'about:blank',
  ])('does not navigate to %s', (url) => {
    const { contents, left } = confined();
    expect(emitted(contents, 'will-frame-navigate', { url, isMainFrame: true })).toBe(true);
    expect(left).toEqual([url]);
  });

  it('navigates no frame within it, and opens nothing for one', () => {
    const { contents, left } = confined();
    expect(emitted(contents, 'will-frame-navigate', { url: 'app://broadsheet/', isMainFrame: false })).toBe(true);
    expect(emitted(contents, 'will-frame-navigate', { url: 'https://example.com/', isMainFrame: false })).toBe(true);
    expect(left).toEqual([]);
  });

  it('gets no second window, whatever the address', () => {
    const { contents, left } = confined();
    for (const url of ['https://example.com/', 'app://broadsheet/index.html', 'about:blank']) {
      expect(contents.openHandler?.({ url } as never)).toEqual({ action: 'deny' });
    }
    expect(left).toEqual(['https://example.com/', 'app://broadsheet/index.html', 'about:blank']);
  });

  it('follows no redirect and holds no guest', () => {
    const { contents } = confined();
    expect(emitted(contents, 'will-redirect', { url: 'https://example.com/' })).toBe(true);
    expect(emitted(contents, 'will-attach-webview')).toBe(true);
  });
});
