import { readFileSync } from 'node:fs';

/** This app's version, from its package.json. */
export function appVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
