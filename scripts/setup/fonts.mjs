import { spawnSync } from 'node:child_process';

/** Debian's packages of fonts for Chinese, which the end-to-end tests need, and for emoji in screenshots. */
export const fontPackages = ['fonts-noto-cjk', 'fonts-noto-color-emoji'];

/**
 * Explains why Chinese text has no glyphs in a browser here, or null. Only Linux may have no font for it. Without
 * fontconfig's program this is unknown, and null as well.
 */
export function whyNoChinese() {
  if (process.platform !== 'linux') return null;
  const { error, status, stdout } = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8', timeout: 15_000 });
  if (error !== undefined || status !== 0 || stdout.trim() !== '') return null;
  return `no font for Chinese is installed (in Debian: the package ${fontPackages[0]})`;
}
