export { SettingsState } from './settings.svelte.ts';
export {
  commandFor,
  GO_COMMANDS,
  goCommandFor,
  isGo,
  keysOf,
  SHORTCUT_COMMANDS,
  historyStep,
  opensPalette,
  type Command,
  type GoCommand,
  type Keys,
  type ShortcutCommand,
} from './shortcuts.ts';
