import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AtEnd } from './open-once.ts';

/** An empty folder that is removed after the test, or at another end. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'broadsheet-'));
  atEnd(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
