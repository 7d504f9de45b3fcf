export { default as NoteMark } from './NoteMark.svelte';
export { default as NoteSection } from './NoteSection.svelte';
export { notesContext, NotesState, setNotesContext, targetOfNote } from './notes.svelte.ts';
