export type { CitationStop } from './citation-walk.ts';
export { ReportWalk, setArchiveContext, type ArchiveContext } from './report-walk.svelte.ts';
