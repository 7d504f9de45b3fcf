export { setTodayContext, TodayState } from './today.svelte.ts';
