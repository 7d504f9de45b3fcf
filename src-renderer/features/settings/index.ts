/** What the app and other features use of the settings. The dialog is loaded by its file when it is first opened. */
export { SettingsState } from './settings.svelte.ts';
export { SETTINGS_SECTIONS, type SettingsSection } from './settings-sections.ts';
export { GatewayState } from './models/gateway.svelte.ts';
export { commandFor, SHORTCUT_COMMANDS, type Command, type ShortcutCommand } from './keyboard/shortcuts.ts';
