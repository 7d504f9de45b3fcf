/** What the app and other features use of notifications. The dialog is loaded by its file when it is first opened. */
export { NotificationsState } from './notifications.svelte.ts';
export { BrowserNotifications } from './browser-notifications.ts';
export { BrowserPermissionState } from './browser-permission.svelte.ts';
