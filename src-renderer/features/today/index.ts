export { leadOf } from './lead.ts';
export { setTodayContext, TodayState } from './today.svelte.ts';
