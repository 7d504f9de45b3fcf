export { leadOf } from './lead.ts';
export { lengthText } from './texts.ts';
export { setTodayContext, TodayState } from './today.svelte.ts';
