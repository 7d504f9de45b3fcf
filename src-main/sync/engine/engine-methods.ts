import type { Api } from '../../contract/api.ts';
import type { DATA_METHODS } from './methods/data-methods.ts';
import type { REPORT_METHODS } from './methods/report-methods.ts';
import type { STATUS_METHODS } from './methods/status-methods.ts';
import type { MODELS_METHODS } from './methods/model-methods.ts';
import type { POLLING_METHODS } from './methods/polling-methods.ts';
import type { STORY_METHODS } from './methods/story-methods.ts';

/** Methods whose bodies stand at desks of their own. */
type GroupMethod = (
  | typeof STATUS_METHODS
  | typeof POLLING_METHODS
  | typeof REPORT_METHODS
  | typeof STORY_METHODS
  | typeof MODELS_METHODS
  | typeof DATA_METHODS
)[number];
type OwnMethod = 'sync.run' | 'sync.status' | 'source.test' | 'visits.end' | 'items.searchOnline' | 'guide.open';

/** The methods of the contract that write, or that only their writer can answer. */
export type EngineMethod = GroupMethod | OwnMethod;

/** What answers each of them. */
export type EngineBodies = {
  [M in EngineMethod]: (args: Api[M]['args']) => Promise<Api[M]['result']> | Api[M]['result'];
};
export type OwnBodies = Pick<EngineBodies, OwnMethod>;
