export { default as ListenBar } from './ListenBar.svelte';
export { default as ListenButton } from './ListenButton.svelte';
export {
  listenContext,
  Listening,
  setListenContext,
  type ListenContext,
  type Passage,
  type Program,
} from './listening.svelte.ts';
export { Speaker } from './speaker.ts';
