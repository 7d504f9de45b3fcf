import Database from 'better-sqlite3';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const CHILD = fileURLToPath(new URL('sync-child.ts', import.meta.url));

/** Starts a process that syncs once: folder, address of the news, and of a gateway with its key. */
export function startSync(...args: string[]): { child: ChildProcess; endedBy: Promise<string | null> } {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  return { child, endedBy: once(child, 'exit').then(([, signal]) => signal as string | null) };
}

export function expectSoundFiles(folder: string): void {
  for (const file of ['mirror.db', 'user.db', 'search.db']) {
    const database = new Database(join(folder, file), { readonly: true });
    expect(database.pragma('integrity_check', { simple: true }), file).toBe('ok');
    database.close();
  }
}
