/** What the app and other features use of the notes. */
export { default as NoteMark } from './NoteMark.svelte';
export { default as NoteSection } from './NoteSection.svelte';
export { notesContext, NotesState, setNotesContext } from './notes.svelte.ts';
