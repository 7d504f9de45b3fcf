/** Exports for the app. Views are loaded from their files when they are first opened. */
export type { LeftToday } from './left-today.ts';
export { ArchiveState } from './archive.svelte.ts';
export type { CitationStop } from './citation-walk.ts';
export type { ReportMarks } from './report-marks.ts';
