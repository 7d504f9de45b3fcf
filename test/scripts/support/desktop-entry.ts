// Writes the desktop file of the AppImage that electron-builder would make of a packed folder: `node desktop-entry.ts FOLDER CONFIG`.
import { Arch, build, Platform } from 'electron-builder';

const [, , prepackaged = '', config = ''] = process.argv;

await build({
  targets: Platform.LINUX.createTarget(['AppImage'], Arch.x64),
  projectDir: process.cwd(),
  prepackaged,
  config,
  publish: 'never',
  // Called when everything is known and nothing has been downloaded; true ends it there.
  effectiveOptionComputed: ({ desktop }: { desktop: string }) => {
    process.stdout.write(`ENTRY ${JSON.stringify(desktop)}\n`);
    return Promise.resolve(true);
  },
});
