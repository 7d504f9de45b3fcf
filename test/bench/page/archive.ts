// Writes the data of a reader of three years besides items to a data folder that no app has open: reports, stories and
// models.
import { addDays, monthOf, shanghaiDay, weekOf } from '../../../src-main/common/time.ts';
import type { ModelRecord } from '../../../src-main/contract/model/model.ts';
import type { Citation, Report } from '../../../src-main/contract/model/report.ts';
import type { Coverage, Story } from '../../../src-main/contract/model/story.ts';
import { DERIVED_NAMES, openStore } from '../../../src-main/store/index.ts';
import { benchItems, NEWEST, type BenchItem } from '../data.ts';

const DAILIES = 1000;
const CITATIONS = 24;
const STORIES = 300;
const MODELS = 400;
const AT_ONCE = 50;

/**
 * @param news the address of the news service, whose mirror is in the folder
 * @param gateway that of the gateway which lists the models
 */
export function addArchive(folder: string, news: string, gateway: string): void {
  const store = openStore({ folder, source: news, now: () => NEWEST });
  try {
    const texts = benchItems(20_000);
    for (let at = 0; at < DAILIES; at += AT_ONCE) {
      store.transaction(({ reports }) => {
        for (let n = at; n < at + AT_ONCE; n += 1) for (const one of reportsOf(n, texts)) reports.store(one, NEWEST);
      });
    }
    store.transaction(({ stories }) => {
      for (let n = 0; n < STORIES; n += 1) stories.store(storyOf(n, texts), NEWEST);
    });
    store.transaction(({ modelLists }) => {
      const records = Array.from({ length: MODELS }, (_, n) => modelOf(n, texts));
      const list = { owner: gateway, modelList: 'models' as const, records, validator: null, keyEnding: null };
      modelLists.replace(list, NEWEST);
    });
    for (const name of DERIVED_NAMES) while (store.derive(name));
    const { merge } = store.searchIndexer();
    while (merge());
  } finally {
    store.close();
  }
}

/** The daily of a day, and the weekly and monthly that end with it. */
function reportsOf(n: number, texts: readonly BenchItem[]): Report[] {
  const day = addDays(shanghaiDay(NEWEST), -1 - n);
  const from = n * CITATIONS;
  const report = (kind: Report['kind'], label: string): Report => ({
    kind,
    label,
    generatedAt: `${day}T00:00:00Z`,
    windowStart: null,
    windowEnd: null,
    periodStart: null,
    periodEnd: null,
    headline: at(texts, from).title,
    overview: at(texts, from).summary,
    links: { aihot: `https://news.example/${kind}/${label}` },
    attribution: null,
    sections: ['模型', 'Products', '产业', 'Papers'].map((name, section) => ({
      label: name,
      summary: null,
      items: Array.from({ length: CITATIONS / 4 }, (_, k) =>
        citation(at(texts, from + 1 + (section * CITATIONS) / 4 + k)),
      ),
      extra: {},
    })),
    flashes: [],
    extra: {},
  });
  const next = addDays(day, 1);
  return [
    report('daily', day),
    ...(weekOf(day) === weekOf(next) ? [] : [report('weekly', weekOf(day))]),
    ...(monthOf(day) === monthOf(next) ? [] : [report('monthly', monthOf(day))]),
  ];
}

function citation({ id, title, ...rest }: BenchItem): Citation {
  const source = rest['source'] as { name: string };
  const original = `https://site.example/${id}`;
  const links = { aihot: null, original };
  return {
    title,
    summary: rest.summary,
    source,
    links,
    publishedAt: rest.discoveredAt,
    attribution: null,
    extra: {},
  };
}

function storyOf(n: number, texts: readonly BenchItem[]): Story {
  const reports = Array.from({ length: 12 }, (_, k): Coverage => {
    const item = at(texts, 9_000 + n * 12 + k);
    const { name } = item['source'] as { name: string };
    return {
      id: `story-report-${String(n)}-${String(k)}`,
      title: item.title,
      summary: item.summary,
      source: { name, firstParty: k === 0 },
      publishedAt: item.discoveredAt,
      links: { aihot: null, original: `https://site.example/of-story/${item.id}` },
      extra: {},
    };
  });
  const [first] = reports;
  return {
    publicId: `story-${String(n)}`,
    title: first?.title ?? '',
    status: 'active',
    sourceCount: 5,
    reportCount: reports.length,
    firstReportAt: first?.publishedAt ?? null,
    latestAt: first?.publishedAt ?? null,
    latest: reports[1]?.title ?? null,
    digest: first?.summary ?? null,
    digestUpdatedAt: null,
    links: { aihot: null },
    reports,
    storyline: [],
    related: [],
    extra: {},
  };
}

function modelOf(n: number, texts: readonly BenchItem[]): ModelRecord {
  const { title, ...rest } = at(texts, n * 3);
  return {
    id: `maker-${String(n % 40)}/model-${String(n)}`,
    name: `Model ${String(n)} ${title.slice(0, 12)}`,
    description: rest.summary,
    created: Math.floor(NEWEST / 1000) - n * 86_400,
    context_length: 128_000,
    architecture: { input_modalities: ['text'], output_modalities: ['text'], modality: 'text->text' },
    pricing: { prompt: '0.00000015', completion: '0.0000006' },
    supported_parameters: ['temperature', 'tools'],
  };
}

function at(texts: readonly BenchItem[], index: number): BenchItem {
  return texts[index % texts.length] as BenchItem;
}
