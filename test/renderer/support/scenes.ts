import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder with the data that tests of the page start with (core.ts). */
    scenes: string;
  }
}

export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'broadsheet-scenes-'));
  provide('scenes', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
