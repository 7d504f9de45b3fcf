export { sectionsOf, SettingsState } from './settings.svelte.ts';
export {
  commandFor,
  GO_COMMANDS,
  goCommandFor,
  isGo,
  keysOf,
  historyStep,
  opensPalette,
  SHORTCUT_COMMANDS,
  type Command,
  type GoCommand,
  type Keys,
  type ShortcutCommand,
} from './shortcuts.ts';
