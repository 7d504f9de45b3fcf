export { NoteListState, noteListContext, setNoteListContext } from './note-list.svelte.ts';
export { default as NoteMark } from './NoteMark.svelte';
export { default as NoteSection } from './NoteSection.svelte';
export { notesContext, NotesState, setNotesContext, targetOfNote } from './notes.svelte.ts';
