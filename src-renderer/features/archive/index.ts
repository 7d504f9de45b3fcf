/** What the app uses of the archive. The views are loaded by their files when they are first opened. */
export type { LeftToday } from './left-today.ts';
export { ArchiveState } from './archive.svelte.ts';
export type { CitationStop } from './citation-walk.ts';
export type { ReportMarks } from './report-marks.ts';
