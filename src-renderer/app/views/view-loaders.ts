/** Loads the components of the views beside the feed when they are first opened. */
export const VIEW_LOADERS = {
  hotTopics: () => import('./HotTopics.svelte'),
  stories: () => import('./Stories.svelte'),
  archive: () => import('./Archive.svelte'),
  models: () => import('../../features/models/ModelsView.svelte'),
  notes: () => import('../../features/notes/NotesView.svelte'),
  sources: () => import('../../features/sources/SourcesView.svelte'),
  statistics: () => import('../../features/statistics/StatisticsView.svelte'),
};
