import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './folders.ts';

const isRoot = process.getuid?.() === 0;
const DISK_BYTES = 12 << 20;

/** A small separate disk, if this user can create one. */
export function smallDisk(): string | null {
  if (!isRoot || process.platform !== 'linux') return null;
  const place = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', place], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', place]);
  });
  return place;
}

/**
 * Fills the disk, except for some bytes. Returns a function that frees it again. After a test that took too long, the disk
 * is gone, and this would fill the one below it.
 */
export function fill(place: string, left = 0): () => void {
  const file = join(place, 'filler');
  const handle = openSync(file, 'w');
  let written = 0;
  for (let size = 1 << 20; size >= 1; size = size >> 1) {
    try {
      while (written <= DISK_BYTES) written += writeSync(handle, Buffer.alloc(size));
    } catch {
      // Smaller chunks may still fit.
    }
  }
  closeSync(handle);
  if (written > DISK_BYTES) {
    rmSync(file);
    throw new Error('The small disk is not there any more.');
  }
  if (left > 0) truncateSync(file, Math.max(0, statSync(file).size - left));
  return () => rmSync(file);
}
