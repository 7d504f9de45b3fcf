import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { findBrowser } from '../../scripts/setup/browser.mjs';
import { temporaryFolder } from '../support/folders.ts';

it.runIf(process.platform === 'linux')(
  'prefers CHROMIUM_PATH, then PATH, then Playwright, and skips stubs',
  async () => {
    const folder = temporaryFolder();
    const program = (name: string, status = 0): string => {
      const path = join(folder, name);
      writeFileSync(path, `#!/bin/sh\nexit ${status}\n`);
      chmodSync(path, 0o755);
      return path;
    };
    const PATH = [join(folder, 'missing'), folder].join(delimiter);
    const own = join(folder, 'playwrights');
    const find = (env: NodeJS.ProcessEnv): Promise<string | null> =>
      findBrowser({ env: { PATH, ...env }, own: () => Promise.resolve(own) });

    expect(await find({})).toBeNull();
    program('playwrights');
    expect(await find({})).toBe(own);
    program('chromium', 1);
    expect(await find({})).toBe(own);
    const chrome = program('google-chrome');
    expect(await find({ CHROMIUM_PATH: join(folder, 'missing') })).toBe(chrome);
    const shell = program('chromium-headless-shell');
    expect(await find({})).toBe(shell);
    const mine = program('mine');
    expect(await find({ CHROMIUM_PATH: mine })).toBe(mine);
  },
);
