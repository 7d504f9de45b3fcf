import { describe, expect, it } from 'vitest';
import { confine } from '../../../src-main/electron/security/security.ts';
import { fakeClock } from '../../support/clock.ts';
import { emitted, WebContents } from '../fake/electron.ts';

function confined() {
  const contents = new WebContents();
  const left: string[] = [];
  const clock = fakeClock();
  confine(contents as never, (address) => left.push(address), clock);
  const discardBody = (type = 'mouseUp') => emitted(contents, 'input-event', {}, { type });
  return { contents, left, clock, discardBody };
}

describe("a window's page", () => {
  it('can reload itself', () => {
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
  ])('cannot navigate to %s, and does not open it in the browser', (url) => {
    const { contents, left, discardBody } = confined();
    expect(emitted(contents, 'will-frame-navigate', { url, isMainFrame: true })).toBe(true);
    discardBody();
    expect(emitted(contents, 'will-frame-navigate', { url, isMainFrame: true })).toBe(true);
    expect(left).toEqual([]);
  });

  it('cannot navigate its frames, and opens nothing for them', () => {
    const { contents, left } = confined();
    expect(emitted(contents, 'will-frame-navigate', { url: 'app://broadsheet/', isMainFrame: false })).toBe(true);
    expect(emitted(contents, 'will-frame-navigate', { url: 'https://example.com/', isMainFrame: false })).toBe(true);
    expect(left).toEqual([]);
  });

  it('opens an address in the browser after a click, once per click', () => {
    const { contents, left, clock, discardBody } = confined();
    const open = (url: string) => contents.openHandler?.({ url } as never);
    for (const type of ['mouseMove', 'mouseDown', 'mouseWheel', 'keyDown']) discardBody(type);
    open('https://example.com/script');
    discardBody();
    expect(open('https://example.com/click')).toEqual({ action: 'deny' });
    open('https://example.com/second');
    discardBody();
    clock.advance(1_001);
    open('https://example.com/late');
    expect(left).toEqual(['https://example.com/click']);
  });
});
