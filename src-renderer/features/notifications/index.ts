/** Exports for the app and other features. */
export { SeenNotifications } from './seen-notifications.svelte.ts';
export { BrowserNotifications } from './browser-notifications.ts';
export { BrowserPermissionState } from './browser-permission.svelte.ts';
