import type { Tool } from '../tool.ts';
import { getItem } from './items.ts';
import { getModel, listModels, modelChanges } from './models.ts';
import { getReport, latestDaily } from './reports.ts';
import { search } from './search.ts';
import { getStory, listHotTopics } from './stories.ts';
import { whatsNewSince } from './whats-new.ts';

/** Every tool, in the order in which a client lists them. All of them only read. */
export const TOOLS: readonly Tool[] = [
  search,
  latestDaily,
  getReport,
  listHotTopics,
  getStory,
  getItem,
  listModels,
  getModel,
  modelChanges,
  whatsNewSince,
];
