import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../src-main/demo/content/item-texts.ts';
import { DIGEST_PHRASES, KINDS, ORGANISATIONS, OUTLETS, UPDATES } from '../../src-main/demo/content/texts.ts';
import { fakeClock } from '../support/clock.ts';
import { demo } from './service.ts';
const bilingual = [
  ...UPDATES,
  ...DIGEST_PHRASES.contradictions,
  ...DIGEST_PHRASES.outlooks,
  ...Object.values(KINDS)
    .flat()
    .flatMap(({ titles, leads, details, reasons }) => [...titles, ...leads, ...details, ...reasons]),
];
const templates = bilingual.flatMap(({ zh, en }) => [zh, en]);

describe('The texts of the demo', () => {
  it('name only values that every item has', () => {
    const { fact } = subjectOf(1, 1, null, 'tip');
    const named = new Set(templates.flatMap((text) => [...text.matchAll(/\{(.*?)\}/g)].map(([, name]) => name)));
    expect([...named].filter((name) => name === undefined || !(name in fact.zh) || !(name in fact.en))).toEqual([]);
  });

  it('are there in both languages, without space around them', () => {
    expect(templates.filter((text) => text === '' || text !== text.trim())).toEqual([]);
    expect(bilingual.filter(({ zh }) => !/\p{Script=Han}/u.test(zh))).toEqual([]);
    expect(bilingual.filter(({ en }) => /\p{Script=Han}/u.test(en))).toEqual([]);
  });

  it('are English wherever an English reader meets them, and well spaced', async () => {
    const { get } = await demo({ language: 'en', content: 'living', clock: fakeClock('2026-03-18T06:30:00Z') });
    const topics = (await get('/hot-topics')).body.items;
    const stories = topics.flatMap(({ links }) => links.story?.split('/').at(-1) ?? []);
    const pages = await Promise.all(
      [
        '/hot-topics',
        '/items?mode=all&limit=100',
        '/selected/snapshot?limit=100',
        '/dailies/latest',
        '/weeklies/latest',
        '/monthlies/latest',
        ...stories.map((id) => `/stories/${id}`),
      ].map(async (path) => (await get(path)).body),
    );
    const texts = pages.flatMap((page) => textsIn(page));
    expect(stories.length).toBeGreaterThan(3);
    expect(texts.length).toBeGreaterThan(1_000);
    expect(texts.filter((text) => /\p{Script=Han}|\{| {2}|[a-z][.,;:!?][A-Z]|[.,;:][.,;:]/u.test(text))).toEqual([]);
  });

  it('name organisations and publications that cannot exist, each once', () => {
    const domains = [...ORGANISATIONS, ...OUTLETS.zh, ...OUTLETS.en].map(({ domain }) => domain);
    expect(domains.filter((domain) => !/^[a-z-]+\.example$/.test(domain))).toEqual([]);
    expect(new Set(domains).size).toBe(domains.length);
  });
});

/** Returns all texts of an answer but addresses, ids and times. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\S+$/.test(value) ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
