import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../src-main/demo/content/item-texts.ts';
import {
  DIGEST_PHRASES,
  KINDS,
  ORGANISATIONS,
  OUTLETS,
  UPDATES,
  type Category,
} from '../../src-main/demo/content/texts.ts';

const categories = Object.keys(KINDS) as Category[];
const bilingual = [
  ...UPDATES,
  ...Object.values(KINDS)
    .flat()
    .flatMap(({ titles, leads, details, reasons }) => [...titles, ...leads, ...details, ...reasons]),
];
const templates = [
  ...bilingual.flatMap(({ zh, en }) => [zh, en]),
  ...DIGEST_PHRASES.contradictions,
  ...DIGEST_PHRASES.outlooks,
];

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

  it.each(categories)('have at least three titles, two leads and four details for every kind of %s', (category) => {
    for (const { titles, leads, details, reasons } of KINDS[category]) {
      expect(titles.length).toBeGreaterThanOrEqual(3);
      expect(leads.length).toBeGreaterThanOrEqual(2);
      expect(details.length).toBeGreaterThanOrEqual(4);
      expect(reasons.length).toBeGreaterThanOrEqual(1);
    }
  });

  it('name organisations and publications that cannot exist, each once', () => {
    const domains = [...ORGANISATIONS, ...OUTLETS.zh, ...OUTLETS.en].map(({ domain }) => domain);
    expect(domains.filter((domain) => !/^[a-z-]+\.example$/.test(domain))).toEqual([]);
    expect(new Set(domains).size).toBe(domains.length);
  });
});
