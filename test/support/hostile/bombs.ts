const MEGABYTE = 1024 * 1024;
const SIZE = 30 * MEGABYTE;

interface Bomb {
  /** Which requests it answers. */
  path: RegExp;
  body(): string;
}

const ITEMS = /\/(items|selected\/snapshot|selected\/changes)$/;
const SNAPSHOT = /\/selected\/snapshot$/;
const HOT = /\/hot-topics$/;
const STORY = /\/stories\/[^/]+$/;
const INDEX = /\/(dailies|weeklies|monthlies)$/;
const REPORT = /\/(dailies|weeklies|monthlies)\/[^/]+$/;
const MODELS = /\/models\/user$|\/embeddings\/models$/;
const ALL = /^\/api\//;

const fill = (part: string, length = SIZE): string => part.repeat(Math.floor(length / part.length));
const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(',');

/** The envelope of every list, so that a bomb fits any of them. */
function lists(records: string): string {
  const head = '"cursor":"bomb","count":null,"hasMore":false,"page":{"hasMore":false}';
  return `{${head},"items":[${records}],"data":[${records}],"changes":[${records}]}`;
}
const itemsOf = (records: string): string => `{"cursor":"bomb","hasMore":false,"items":[${records}],"changes":[]}`;
const changesOf = (records: string): string => `{"cursor":"bomb","hasMore":false,"items":[],"changes":[${records}]}`;

const item = (n: number, more: string): string =>
  `{"id":"bomb-${n}","title":"A bomb","discoveredAt":"2026-03-18T06:00:00Z"${more}}`;
const text = (length: number): string => 'A word of news, '.repeat(length / 16);
const han = (length: number): string => '模型发布新闻价格'.repeat(length / 8);

/** Responses as large, deep or long as 32 MiB allow. Each is within the size limit for a body. */
export const BOMBS: Record<string, Bomb> = {
  '30 MB of digits': { path: ALL, body: () => `{"items":[${fill('1')}],"data":[${fill('1', 1000)}]}` },
  '30 MB of quoted digits': { path: ALL, body: () => `{"items":["${fill('1')}"],"cursor":"bomb"}` },
  '3,000,001 empty records': { path: ALL, body: () => itemsOf(`${fill('{},', 9_000_000)}{}`) },
  '1,000,000 empty records': { path: ALL, body: () => itemsOf(`${fill('{},', 3_000_000)}{}`) },
  '4 MB of empty records': { path: ALL, body: () => lists(`${fill('[],', 1_300_000)}[]`) },
  '4 MB of lists in lists': { path: ALL, body: () => fill('[', 2_000_000) + fill(']', 2_000_000) },
  '30 MB of lists in lists': { path: ALL, body: () => fill('[', SIZE / 2) + fill(']', SIZE / 2) },
  '1,000,000 items': { path: ITEMS, body: () => itemsOf(many(1_000_000, (n) => `{"id":"${n}","title":""}`)) },
  '400,000 items': { path: ITEMS, body: () => itemsOf(many(400_000, (n) => item(n, ''))) },
  'a title of 30 MB': {
    path: ITEMS,
    body: () => itemsOf(item(1, `,"summary":"${fill('y', 1000)}","originalTitle":"${fill('x')}"`)),
  },
  'a title of 30 MB in a change': {
    path: ITEMS,
    body: () => changesOf(`{"op":"upsert","item":{"id":"bomb-2","title":"${fill('x')}"}}`),
  },
  'lone surrogates': { path: ITEMS, body: () => itemsOf(item(3, `,"summary":"${fill('\\ud800')}"`)) },
  'a page of long summaries': {
    path: SNAPSHOT,
    body: () => itemsOf(many(1000, (n) => item(n, `,"summary":"${text(24_000)}"`))),
  },
  'a page of long Chinese texts': {
    path: SNAPSHOT,
    body: () => itemsOf(many(700, (n) => item(n, `,"summary":"${han(8_000)}","reason":"${han(4_000)}"`))),
  },
  'the longest texts that a page may have': {
    path: SNAPSHOT,
    body: () => itemsOf(many(800, (n) => item(n, `,"summary":"${text(9_984)}"`))),
  },
  'the longest Chinese texts that a page may have': {
    path: SNAPSHOT,
    body: () => itemsOf(many(500, (n) => item(n, `,"summary":"${han(9_984)}","reason":"${han(4_000)}"`))),
  },
  'items with 10,000 unknown members': {
    path: ITEMS,
    body: () => itemsOf(many(100, (n) => item(n, `,"more":{${many(10_000, (m) => `"member-${m}":${m}`)}}`))),
  },
  'a million members': { path: ALL, body: () => `{${many(1_000_000, (n) => `"m${n}":1`)},"cursor":"bomb","items":[]}` },
  'a million huge numbers': {
    path: ALL,
    body: () => lists(`{"id":"a","title":"b","n":[${fill('1e999,', 1_900_000)}1]}`),
  },
  'a million prototypes': { path: ALL, body: () => itemsOf(`${fill('{"__proto__":{}},', 15_000_000)}{}`) },
  '100,000 hot topics': {
    path: HOT,
    body: () => itemsOf(many(100_000, (n) => `{"rank":${n + 1},"id":"t-${n}","title":"${text(160)}"}`)),
  },
  'a hundred hot topics of 300 kB': {
    path: HOT,
    body: () => itemsOf(many(100, (n) => `{"rank":${n + 1},"id":"t-${n}","title":"${text(300_000)}"}`)),
  },
  'a hot topic of a million sources': {
    path: HOT,
    body: () => itemsOf(`{"rank":1,"id":"t","title":"T","sourceNames":[${many(1_000_000, (n) => `"source ${n}"`)}]}`),
  },
  'a story of 50,000 reports': {
    path: STORY,
    body: () => `{"story":{"title":"S","reports":[${many(50_000, (n) => item(n, `,"summary":"${text(480)}"`))}]}}`,
  },
  'a digest of 30 MB': {
    path: STORY,
    body: () => `{"story":{"title":"S","digest":"${fill('*a **b ')}","reports":[]}}`,
  },
  'an index of 300,000 reports': {
    path: INDEX,
    body: () =>
      itemsOf(many(300_000, (n) => `{"date":"2026-01-01","week":"2026-W01","month":"2026-01","headline":"${n}"}`)),
  },
  'a report of 100,000 sections': {
    path: REPORT,
    body: () =>
      `{"report":{"date":"2026-03-18","week":"2026-W11","month":"2026-02","sections":[${many(
        100_000,
        (n) => `{"label":"${n}","items":[{"title":"T","summary":"${text(160)}"}]}`,
      )}]}}`,
  },
  '50,000 models': {
    path: MODELS,
    body: () => `{"data":[${many(50_000, (n) => `{"id":"v/${n}","name":"Model ${n}","pricing":{"prompt":"0.1"}}`)}]}`,
  },
  'a model description of 30 MB': { path: MODELS, body: () => `{"data":[{"id":"v/m","description":"${fill('x')}"}]}` },
  'prices of 10,000 digits': {
    path: MODELS,
    body: () => `{"data":[${many(2_000, (n) => `{"id":"v/${n}","pricing":{"prompt":0.${fill('1', 10_000)}}}`)}]}`,
  },
  'a million prices': {
    path: MODELS,
    body: () => `{"data":[{"id":"v/m","pricing":{${many(700_000, (n) => `"p${n}":0.12345678901234567`)}}}]}`,
  },
};
