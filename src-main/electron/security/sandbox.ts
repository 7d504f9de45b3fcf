import type { CommandLine } from 'electron';

/**
 * Switches of Chromium that take the sandbox of pages away. Broadsheet never sets them; a launcher can, and so does the
 * start script of an AppImage where the system forbids user namespaces. Electron turns ELECTRON_DISABLE_SANDBOX into one.
 */
const SWITCHES = ['no-sandbox', 'disable-seccomp-filter-sandbox'];

/** Whether pages run without the system's sandbox. */
export function isUnsandboxed(commandLine: Pick<CommandLine, 'hasSwitch'>): boolean {
  return SWITCHES.some((name) => commandLine.hasSwitch(name));
}
