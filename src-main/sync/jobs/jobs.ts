import { isListing, type NewsResource, type ResourceName } from '../../contract/model/item.ts';
import { syncDailies, syncMonthlies, syncWeeklies } from './reports.ts';
import type { AskedGateway } from '../engine/methods/gateway-methods.ts';
import { syncHotTopics } from './hot-topics.ts';
import { syncItems } from './items.ts';
import { syncListing } from './model-lists.ts';
import type { Run, StepResult } from './sync-context.ts';
import { syncSelected } from './selected.ts';
import { syncStories } from './stories.ts';

type Step = (run: Run) => Promise<StepResult>;

const NEWS_STEPS: Record<NewsResource, Step> = {
  items: syncItems,
  selected: syncSelected,
  hotTopics: syncHotTopics,
  stories: syncStories,
  dailies: syncDailies,
  weeklies: syncWeeklies,
  monthlies: syncMonthlies,
};

/** What a run of a resource does. A listing is the gateway's, and only its step sees that; null where there is none to ask. */
export function stepOf(resource: ResourceName, gateway: AskedGateway | null): Step | null {
  if (!isListing(resource)) return NEWS_STEPS[resource];
  return gateway && ((run) => syncListing(resource, gateway, run));
}
