import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../core/files/atomic-write.ts';

/** The address of the `serve` that uses a data folder: nobody reads the output of a service. Mode 0600, as the rest. */
const NAME = 'serving.json';

/** Failures don't matter: the address is printed, too. */
export async function rememberAddress(folder: string, url: string): Promise<void> {
  await writeAtomically(join(folder, NAME), `${JSON.stringify({ url })}\n`).catch(() => undefined);
}

export async function forgetAddress(folder: string): Promise<void> {
  await rm(join(folder, NAME), { force: true }).catch(() => undefined);
}

/** The remembered address; null without one. After a crash it may be that of a process that has ended. */
export function rememberedAddress(folder: string): string | null {
  try {
    const { url } = JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as { url?: unknown };
    return typeof url === 'string' && URL.parse(url)?.hostname === '127.0.0.1' ? url : null;
  } catch {
    return null;
  }
}
