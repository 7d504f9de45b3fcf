import { readFileSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');

/** The folder of the built page. */
export const PAGE_FOLDER = path.join(PROJECT, 'out', 'renderer');

/** This app's version, from its package.json. */
export function appVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}
