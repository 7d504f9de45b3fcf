import { isModelList, type NewsResource, type ResourceName } from '../../contract/model/resource.ts';
import { syncDailies, syncMonthlies, syncWeeklies } from './reports.ts';
import type { AskedGateway } from '../engine/gateway-source.ts';
import { syncHotTopics } from './hot-topics.ts';
import { syncItems } from './items.ts';
import { syncModelList } from './model-lists.ts';
import type { Run, JobResult } from './sync-context.ts';
import { syncSelected } from './selected.ts';
import { syncStories } from './stories.ts';

type Step = (run: Run) => Promise<JobResult>;

const NEWS_STEPS: Record<NewsResource, Step> = {
  items: syncItems,
  selected: syncSelected,
  hotTopics: syncHotTopics,
  stories: syncStories,
  dailies: syncDailies,
  weeklies: syncWeeklies,
  monthlies: syncMonthlies,
};

/** What a run of a resource does. A model list is the gateway's, and only its step sees that; null where there is none to ask. */
export function jobOf(resource: ResourceName, gateway: AskedGateway | null): Step | null {
  if (!isModelList(resource)) return NEWS_STEPS[resource];
  return gateway && ((run) => syncModelList(resource, gateway, run));
}
