import { describe, expect, it } from 'vitest';
import { parseFragment, parseLink, writeFragment, writeLink, type Target } from '../../src-main/contract/refs.ts';

const STORY = { view: 'story', publicId: 'a1/b 2？' } as const;
const DAILY = { view: 'report', kind: 'daily', label: '2026-11-20' } as const;

describe('a deep link', () => {
  it.each<[string, Target]>([
    ['broadsheet://daily/2026-11-20', DAILY],
    ['broadsheet://daily/2026-11-20/', DAILY],
    ['BroadSheet://Daily/2026-11-20', DAILY],
    ['broadsheet://daily/2024-02-29', { view: 'report', kind: 'daily', label: '2024-02-29' }],
    ['broadsheet://weekly/2026-W47', { view: 'report', kind: 'weekly', label: '2026-W47' }],
    ['broadsheet://monthly/2026-11', { view: 'report', kind: 'monthly', label: '2026-11' }],
    ['broadsheet://story/abc', { view: 'story', publicId: 'abc' }],
    ['broadsheet://story/a1%2Fb%202%EF%BC%9F', STORY],
    ['broadsheet://item/ABC-9', { view: 'item', id: 'ABC-9' }],
    ['broadsheet://item/%2525', { view: 'item', id: '%25' }],
  ])('%s leads to %j', (link, target) => {
    expect(parseLink(link)).toEqual(target);
  });

  it.each([
    '',
    'broadsheet:',
    'broadsheet://',
    'broadsheet://daily',
    'broadsheet://daily/',
    'broadsheet:///daily/2026-11-20',
    'broadsheet:daily/2026-11-20',
    'https://daily/2026-11-20',
    'broadsheets://daily/2026-11-20',
    ' broadsheet://daily/2026-11-20',
    'broadsheet://daily/2026-11-20\n',
    'broadsheet://daily/2026-11-20 --inspect',
    'broadsheet://daily/2026-11-20?key=1',
    'broadsheet://daily/2026-11-20#a',
    'broadsheet://daily/2026-11-20/more',
    'broadsheet://reader@daily/2026-11-20',
    'broadsheet://daily:80/2026-11-20',
    'broadsheet://daily/2026-13-01',
    'broadsheet://daily/2026-02-30',
    'broadsheet://daily/2025-02-29',
    'broadsheet://daily/2026-11-31',
    'broadsheet://daily/20261120',
    'broadsheet://weekly/2026-W54',
    'broadsheet://weekly/2026-W00',
    'broadsheet://monthly/2026-00',
    'broadsheet://monthly/٢٠٢٦-١١',
    'broadsheet://settings/newsAddress',
    'broadsheet://constructor/x',
    'broadsheet://__proto__/x',
    'broadsheet://item/..',
    'broadsheet://item/%2e%2e',
    'broadsheet://item/.',
    'broadsheet://item/%00',
    'broadsheet://item/a%0Ab',
    'broadsheet://item/%E2%80%AEgnp.exe',
    'broadsheet://item/a%E2%80%A8b',
    'broadsheet://item/%',
    'broadsheet://item/%C3%28',
    'broadsheet://item/%ED%A0%80',
    'broadsheet://item/\ud800',
    'broadsheet://item/a\\b',
    'broadsheet://item/a b',
    `broadsheet://item/${'a'.repeat(513)}`,
    `broadsheet://story/${'a'.repeat(129)}`,
    `broadsheet://item/${'%41'.repeat(700)}`,
    `broadsheet://item/${'a'.repeat(1_000_000)}`,
  ])('leads nowhere: %j', (link) => {
    expect(parseLink(link)).toBeNull();
  });

  it.each<Target>([STORY, DAILY, { view: 'item', id: "日报/'?#%25 " }, { view: 'story', publicId: '𝒮'.repeat(128) }])(
    'comes back from the target that it was made of: %j',
    (target) => {
      expect(parseLink(writeLink(target) ?? '')).toEqual(target);
    },
  );

  it.each<Target>([
    { view: 'feed' },
    { view: 'settings' },
    { view: 'model', modelList: 'models', id: 'a/b' },
    { view: 'item', id: '..' },
    { view: 'item', id: '\ud800' },
    { view: 'item', id: '' },
    { view: 'item', id: '日'.repeat(512) },
    { view: 'report', kind: 'daily', label: '2026-02-30' },
  ])('is not made of %j', (target) => {
    expect(writeLink(target)).toBeNull();
  });
});

describe('the address of a window of its own', () => {
  it.each([STORY, DAILY])('says what it shows: %j', (target) => {
    const fragment = writeFragment('window', target);
    expect(fragment).toMatch(/^#window=[\w.~%-]+$/);
    expect(parseFragment('window', fragment ?? '')).toEqual(target);
    // As a browser gives it back.
    expect(parseFragment('window', new URL(`app://broadsheet/index.html${fragment ?? ''}`).hash)).toEqual(target);
  });

  it.each([
    '',
    '#',
    '#window=',
    '#window=%',
    '#window=broadsheet%3A%2F%2Fitem%2Fa',
    '#feed-list',
    '#window=javascript:1',
  ])('is that of the main window: %j', (fragment) => {
    expect(parseFragment('window', fragment)).toBeNull();
  });
});

describe('the address of a main window with something open', () => {
  it.each<Target>([STORY, DAILY, { view: 'item', id: "日报/'?#%25 " }])('says what it shows: %j', (target) => {
    const { hash } = new URL(`http://127.0.0.1/${writeFragment('open', target) ?? ''}`);
    expect(parseFragment('open', hash)).toEqual(target);
    expect(parseFragment('window', hash)).toBeNull();
  });

  it.each([
    '',
    '#open=',
    '#open=%',
    '#open=javascript:1',
    '#open=https%3A%2F%2Fx.example',
    '#window=broadsheet%3A%2F%2Fstory%2Fs',
  ])('names nothing: %j', (fragment) => {
    expect(parseFragment('open', fragment)).toBeNull();
  });
});
