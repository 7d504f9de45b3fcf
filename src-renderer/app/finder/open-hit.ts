import { noteOfHit } from '../../../src-main/contract/model/note.ts';
import { REPORT_KINDS } from '../../../src-main/contract/model/report.ts';
import type { SearchHit } from '../../../src-main/contract/model/search.ts';
import type { AppState } from '../app-state.svelte.ts';

/** Opens what was found, and keeps what was searched for among the recent searches. */
export function openHit(app: AppState, hit: SearchHit, text: string): void {
  app.noteSearch(text);
  const { id, kind, model, report } = hit;
  if (kind === 'items') void app.showItem(id);
  else if (kind === 'stories') app.openStory(id);
  else if (kind === 'notes') openNote(app, id);
  else if (report && REPORT_KINDS.includes(report.kind)) void app.navigation.goTo({ view: 'report', ...report });
  else if (model) app.openModel(model.modelList, model.id);
}

function openNote(app: AppState, hitId: string): void {
  const key = noteOfHit(hitId);
  if (key) app.openNoted(key);
}

/** Shows the list of all items that were found. */
export function findAll(app: AppState, text: string): void {
  app.noteSearch(text);
  app.find(text);
}
