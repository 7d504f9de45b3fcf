import { RESOURCES, type ModelListName, type ResourceName } from '../../contract/model/resource.ts';
import type { ReportKind } from '../../contract/model/report.ts';
import type { CurrentGateway } from '../engine/services.ts';
import type { Queries } from '../../store/index.ts';
import { syncHotTopics } from './hot-topics.ts';
import { syncItems } from './items.ts';
import { syncModelList } from './model-lists.ts';
import { syncReports } from './reports.ts';
import { syncSelected } from './selected.ts';
import { syncStories } from './stories.ts';
import type { JobResult, SyncContext } from './sync-context.ts';

export type Job = (context: SyncContext) => Promise<JobResult>;

/** In ms, `attended` while the page shows it; or by the publication timetable. The service's lifetime is the minimum. */
export type Rule = { every: number; attended: number } | { report: ReportKind };

interface Resource {
  job(gateway: CurrentGateway | null): Job | null;
  rule: Rule;
  after?: ResourceName;
  /** Default: always waits for `after`. */
  waits?: (queries: Pick<Queries, 'selectedSet'>) => boolean;
  seenWith?: ResourceName;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const ofNews = (job: Job) => (): Job => job;
const ofGateway =
  (modelList: ModelListName) =>
  (gateway: CurrentGateway | null): Job | null =>
    gateway && ((context) => syncModelList(modelList, gateway, context));

/** docs/decisions/013-sync-schedule-and-report-archive.md explains the times. */
export const REGISTRY = {
  // The list shows whether an item that left the selected set is still public. First downloads run side by side.
  items: {
    job: ofNews(syncItems),
    rule: { every: 5 * MINUTE, attended: 2 * MINUTE },
    after: 'selected',
    waits: ({ selectedSet }) => selectedSet.complete,
    seenWith: 'selected',
  },
  selected: { job: ofNews(syncSelected), rule: { every: 5 * MINUTE, attended: 2 * MINUTE }, seenWith: 'items' },
  hotTopics: { job: ofNews(syncHotTopics), rule: { every: 15 * MINUTE, attended: 2 * MINUTE } },
  stories: { job: ofNews(syncStories), rule: { every: 30 * MINUTE, attended: 5 * MINUTE }, after: 'hotTopics' },
  dailies: { job: ofNews(syncReports('daily')), rule: { report: 'daily' } },
  weeklies: { job: ofNews(syncReports('weekly')), rule: { report: 'weekly' } },
  monthlies: { job: ofNews(syncReports('monthly')), rule: { report: 'monthly' } },
  models: { job: ofGateway('models'), rule: { every: HOUR, attended: 10 * MINUTE }, seenWith: 'embeddings' },
  embeddings: { job: ofGateway('embeddings'), rule: { every: HOUR, attended: 10 * MINUTE }, seenWith: 'models' },
} satisfies Record<ResourceName, Resource>;

export function resourceOf(name: ResourceName): Resource {
  return REGISTRY[name];
}

export function byResource<T>(row: (name: ResourceName) => T): Record<ResourceName, T> {
  return Object.fromEntries(RESOURCES.map((name) => [name, row(name)])) as Record<ResourceName, T>;
}
