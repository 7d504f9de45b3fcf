export { SeenNotifications } from './seen-notifications.svelte.ts';
export { BrowserNotifications, BrowserPermissionState } from './browser-notifications.svelte.ts';
