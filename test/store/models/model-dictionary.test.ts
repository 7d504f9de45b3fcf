import { describe, expect, it } from 'vitest';
import { meaningsOf, ModelDictionary, nameTextOf } from '../../../src-main/store/models/model-dictionary.ts';
import type { Alias } from '../../../src-main/store/models/model-statuses.ts';
import { pick, seededRandom } from '../search/search-items.ts';

const MODELS = [
  { id: 'orrin/saltbush-4', name: 'Orrin: Saltbush 4' },
  { id: 'orrin/saltbush-4:free', name: 'Orrin: Saltbush 4 (free)' },
  { id: 'orrin/saltbush-4:extended', name: 'Orrin: Saltbush 4 (extended)' },
  { id: 'orrin/saltbush-4-preview', name: 'Orrin: Saltbush 4 Preview' },
  { id: 'orrin/saltbush-4-2026-03-18', name: 'Orrin: Saltbush 4 (2026-03-18)' },
  { id: 'orrin/saltbush-4-mini', name: 'Orrin: Saltbush 4 Mini' },
  { id: 'orrin/saltbush-4.1', name: 'Orrin: Saltbush 4.1' },
  { id: 'orrin/saltbush-4o', name: 'Orrin: Saltbush 4o' },
  { id: 'vane/wv-4o', name: 'Vane: WV-4o' },
  { id: 'vane/wv-45', name: 'Vane: WV 45' },
  { id: 'vane/opal-4.5', name: 'Vane: Opal 4.5' },
  { id: 'vane/opal-4', name: 'Vane: Opal 4' },
  { id: 'vane/opal-r', name: 'Vane: Opal R' },
  { id: 'vane/opal-r-plus', name: 'Vane: Opal R+' },
  { id: 'vane/o3', name: 'Vane: o3' },
  { id: 'vane/wren', name: 'Vane: Wren' },
  { id: 'vane/mini', name: 'Vane: Mini' },
  { id: 'vane/2.5', name: 'Vane: 2.5' },
  { id: 'vane/deep-think', name: 'Vane: Deep Think' },
  { id: 'vane/chat-2', name: 'Vane: Chat 2' },
  { id: 'vane/text-embedding-3-large', name: 'Vane: Text Embedding 3 Large' },
  { id: 'sablecove/thornbill', name: 'Thornbill' },
  { id: 'yanxi/mochi-2', name: '砚溪：墨池 2.0' },
  { id: 'yanxi/inkling', name: '砚溪: 墨池' },
  { id: 'yanxi/model', name: '砚溪: 大模型' },
  { id: 'tessaro/ostara-70b:free', name: 'Tessaro: Ostara 70B (free)' },
];
const ALIASES: Alias[] = [
  { alias: 'Big Four', model: 'orrin/saltbush-4' },
  { alias: '大四', model: 'orrin/saltbush-4' },
  { alias: 'o3', model: 'vane/o3' },
  { alias: 'gone', model: 'vane/gone' },
  { alias: '——', model: 'vane/wren' },
];
const dictionary = new ModelDictionary(MODELS, ALIASES);

/** Ids without their vendors. */
function named(text: string, by = dictionary): string[] {
  return by.modelsIn([text]).map((id) => id.slice(id.indexOf('/') + 1));
}

const id = (model: string, name = model): { id: string; name: string } => ({ id: model, name });

describe.each<{ what: string; cases: [text: string, ...models: string[]][] }>([
  {
    what: 'by id, with and without vendor and variant',
    cases: [
      ['`saltbush-4o` is out', 'saltbush-4o'],
      ['orrin/saltbush-4:free for all', 'saltbush-4:free'],
      ['orrin/saltbush-4:online', 'saltbush-4'],
    ],
  },
  {
    what: 'by name, in any spacing and case',
    cases: [
      ['Saltbush 4', 'saltbush-4'],
      ['Saltbush4', 'saltbush-4'],
      ['Saltbush  4', 'saltbush-4'],
      ['Saltbush\u00a04', 'saltbush-4'],
      ['Saltbush\u20114', 'saltbush-4'],
      ['Salt\u00adbush 4', 'saltbush-4'],
      ['Orrin: Saltbush 4', 'saltbush-4'],
    ],
  },
  {
    what: 'next to other characters',
    cases: [
      ['(Saltbush 4)', 'saltbush-4'],
      ["Saltbush 4's price", 'saltbush-4'],
      ['**Saltbush 4** and _Opal 4_', 'saltbush-4', 'opal-4'],
      ['使用Saltbush 4的团队', 'saltbush-4'],
      ['评测：Saltbush 4，还有Opal 4。', 'saltbush-4', 'opal-4'],
      ['Opal 4, then Saltbush 4, then Opal 4', 'opal-4', 'saltbush-4'],
    ],
  },
  {
    what: 'by the longest matching name',
    cases: [
      ['Saltbush 4 Mini', 'saltbush-4-mini'],
      ['Saltbush 4 Minimal', 'saltbush-4'],
      ['saltbush-4-2026-03-18', 'saltbush-4-2026-03-18'],
      ['墨池 2.0 发布', 'mochi-2'],
    ],
  },
  {
    what: 'only in its exact version',
    cases: [
      ['Opal 4.5', 'opal-4.5'],
      ['Opal 45'],
      ['WV 4.5'],
      ['Saltbush 4.1', 'saltbush-4.1'],
      ['Saltbush 4-1', 'saltbush-4.1'],
      ['Opal R', 'opal-r'],
      ['Opal R+', 'opal-r-plus'],
    ],
  },
  {
    what: 'but not inside words or across punctuation',
    cases: [['Thornbills'], ['Saltbush. 4 of them'], ['Saltbush (4)'], ['XSaltbush 4'], ['3Opal 4'], ['墨。池']],
  },
  {
    what: 'but not by ambiguous words',
    cases: [
      ['Wren'],
      ['大模型'],
      ['text-embedding-3-large', 'text-embedding-3-large'],
      ['vane/wren and vane/mini', 'wren', 'mini'],
    ],
  },
  {
    what: 'by the aliases of the reader',
    cases: [
      ['The big four of the week', 'saltbush-4'],
      ['大四发布', 'saltbush-4'],
      ['Hands on with o3', 'o3'],
      ['o3-mini', 'o3'],
      ['——'],
    ],
  },
])('a model is found $what', ({ cases }) => {
  it.each(cases)('%s', (text, ...models) => {
    expect(named(text)).toEqual(models);
  });
});

describe('a name of several models', () => {
  it('means the one without a variant, then the one with the shortest id, in any order', () => {
    const models = [
      id('orrin/saltbush-4:free', 'Saltbush 4'),
      id('reseller/orrin-saltbush-4', 'Saltbush 4'),
      id('orrin/saltbush-4', 'Saltbush 4'),
      id('vane/saltbush-4', 'Saltbush 4'),
    ];
    expect(new ModelDictionary(models, []).modelsIn(['Saltbush 4'])).toEqual(['vane/saltbush-4']);
    expect(new ModelDictionary(models.toReversed(), []).modelsIn(['Saltbush 4'])).toEqual(['vane/saltbush-4']);
  });

  it('means the model rather than an alias of it', () => {
    const models = [
      id('~o/s', 'Saltbush 4'),
      id('orrin/saltbush-4', 'Saltbush 4'),
      id('~orrin/latest', 'Saltbush Latest'),
    ];
    for (const given of [models, models.toReversed()]) {
      expect(new ModelDictionary(given, []).modelsIn(['Saltbush 4', 'Saltbush Latest'])).toEqual([
        'orrin/saltbush-4',
        '~orrin/latest',
      ]);
    }
  });

  it('means the model that the reader gave it to', () => {
    const changed = new ModelDictionary(MODELS, [{ alias: 'Saltbush 4o', model: 'vane/wren' }]);
    expect(named('Saltbush 4o', changed)).toEqual(['wren']);
  });
});

describe('a dictionary', () => {
  it('is empty without models, or if none has a usable name', () => {
    expect(new ModelDictionary([], ALIASES)).toMatchObject({ isEmpty: true });
    expect(new ModelDictionary([id('mini')], []).isEmpty).toBe(true);
    expect(dictionary.isEmpty).toBe(false);
    expect(new ModelDictionary([], []).modelsIn(['Saltbush 4'])).toEqual([]);
  });

  it('has another hash only if it finds other models', () => {
    const hashOf = (models = MODELS, aliases = ALIASES): string => new ModelDictionary(models, aliases).hash;
    expect(hashOf(MODELS.toReversed(), ALIASES.toReversed())).toBe(dictionary.hash);
    expect(hashOf(MODELS, [...ALIASES, { alias: 'big FOUR', model: 'orrin/saltbush-4' }])).toBe(dictionary.hash);
    expect(hashOf(MODELS, ALIASES.slice(1))).not.toBe(dictionary.hash);
    expect(hashOf(MODELS.slice(1))).not.toBe(dictionary.hash);
    expect(hashOf([...MODELS, id('vane/new')])).not.toBe(dictionary.hash);
  });

  it('treats a text with very many models as a list of them', () => {
    const models = Array.from({ length: 100 }, (_, index) => id(`vane/opal-${index}`));
    const texts = models.map((model) => model.id);
    expect(new ModelDictionary(models, []).modelsIn(texts)).toEqual(texts.slice(0, 32));
  });

  it('accepts any input', () => {
    const hostile = [
      '',
      '\0',
      '\ud800 Saltbush \udc00 4',
      'constructor __proto__ toString',
      'a\u0301'.repeat(50_000),
      '4.'.repeat(200_000),
      '1-'.repeat(200_000),
      'orrin saltbush 4 '.repeat(60_000),
      '('.repeat(300_000),
      '\ufdfa'.repeat(20_000),
    ];
    for (const text of hostile) {
      expect(dictionary.modelsIn([text]).every((model) => MODELS.some(({ id }) => id === model))).toBe(true);
      expect(() => new ModelDictionary([id(text)], [{ alias: text, model: text }])).not.toThrow();
    }
  });

  it('reads only the beginning of a text of a megabyte', () => {
    expect(named(`Opal 4 ${'x '.repeat(500_000)}`)).toEqual(['opal-4']);
    expect(named(`${'x '.repeat(500_000)} Opal 4`)).toEqual([]);
  });

  it('finds the same as trying every name at every position', () => {
    const words = 'orrin saltbush opal vane 4 4.5 4o mini preview r + free 墨 池 2.0 thornbill ostara 70b o 3'.split(
      ' ',
    );
    const gaps = [' ', '-', '_', '/', '.', ':', ', ', ' (', '。'];
    const random = seededRandom(7);
    for (let round = 0; round < 2_000; round++) {
      const text = Array.from({ length: 12 }, () => pick(random, words) + pick(random, gaps)).join('');
      expect(dictionary.modelsIn([text]), text).toEqual(foundSlowly(text));
    }
  });
});

const NAMES = [...meaningsOf(MODELS, ALIASES)].sort(([a], [b]) => b.length - a.length);

function foundSlowly(text: string): string[] {
  const found = new Set<string>();
  let rest = nameTextOf(text);
  while (rest !== '') {
    const [name, model] =
      NAMES.find(([known]) => rest.startsWith(known) && /^(?:$|[ :\n])/.test(rest.slice(known.length))) ?? [];
    if (model !== undefined) found.add(model);
    rest = rest.slice(name?.length ?? 0).replace(/^(?:[^ :\n]*)[ :\n]?/, '');
  }
  return [...found];
}
