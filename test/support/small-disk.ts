import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './folders.ts';

const isRoot = process.getuid?.() === 0;

/** A small separate disk, if this user can create one. */
export function smallDisk(): string | null {
  if (!isRoot || process.platform !== 'linux') return null;
  const place = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', place], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', place]);
  });
  return place;
}

/** Fills the disk, except for some bytes. Returns a function that frees it again. */
export function fill(place: string, left = 0): () => void {
  const file = join(place, 'filler');
  const handle = openSync(file, 'w');
  for (let size = 1 << 20; size >= 1; size = size >> 1) {
    try {
      for (;;) writeSync(handle, Buffer.alloc(size));
    } catch {
      // Smaller chunks may still fit.
    }
  }
  closeSync(handle);
  if (left > 0) truncateSync(file, Math.max(0, statSync(file).size - left));
  return () => rmSync(file);
}
