import { noteOfHit } from '../../../src-main/contract/model/note.ts';
import { REPORT_KINDS } from '../../../src-main/contract/model/report.ts';
import type { SearchHit } from '../../../src-main/contract/model/search.ts';
import { targetOfNote } from '../../features/notes/index.ts';
import { withSearch } from '../../features/search/index.ts';
import type { AppState } from '../app-state.svelte.ts';

/** Opens a search result and adds the text to the recent searches. */
export function openHit(app: AppState, hit: SearchHit, text: string): void {
  noteSearch(app, text);
  const { id, kind, model, report } = hit;
  if (kind === 'items') void app.navigation.showItem(id);
  else if (kind === 'stories') app.navigation.openStory(id);
  else if (kind === 'notes') openNote(app, id);
  else if (report && REPORT_KINDS.includes(report.kind)) void app.navigation.goTo({ view: 'report', ...report });
  else if (model) app.navigation.openModel(model.modelList, model.id);
}

function noteSearch({ settings }: AppState, text: string): void {
  const recentSearches = withSearch(settings.current.recentSearches, text);
  if (recentSearches[0] !== settings.current.recentSearches[0]) void settings.set({ recentSearches });
}

function openNote(app: AppState, hitId: string): void {
  const key = noteOfHit(hitId);
  const target = key && targetOfNote(key);
  if (target) void app.navigation.goTo(target);
}

/** Shows the list of all items that match. */
export function findAll(app: AppState, text: string): void {
  noteSearch(app, text);
  app.navigation.find(text);
}
