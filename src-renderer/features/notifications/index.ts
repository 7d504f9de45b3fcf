/** Exports for the app and other features. The dialog's file is loaded when it is first opened. */
export { NotificationsState } from './notifications.svelte.ts';
export { BrowserNotifications } from './browser-notifications.ts';
export { BrowserPermissionState } from './browser-permission.svelte.ts';
