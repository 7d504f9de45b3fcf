/** Exports for the app and other features. */
export { NotificationsState } from './notifications.svelte.ts';
export { BrowserNotifications } from './browser-notifications.ts';
export { BrowserPermissionState } from './browser-permission.svelte.ts';
