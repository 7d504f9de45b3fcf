import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Width, height and transparency of a PNG, from the first chunk after the signature. */
function header(file: string) {
  const bytes = readFileSync(file);
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  expect(bytes.subarray(12, 16).toString('latin1')).toBe('IHDR');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), transparent: [4, 6].includes(bytes[25]!) };
}

describe("the app's icons", () => {
  it('exist in every size that Linux desktops, Windows and macOS need', () => {
    const sizes = globSync('resources/icons/*.png').map((file) => Number(basename(file, '.png')));
    expect(sizes.sort((a, b) => a - b)).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024]);
  });

  it.each(globSync('resources/icons/*.png').sort())('%s has the size in its name, and is transparent', (file) => {
    const size = Number(basename(file, '.png'));
    expect(header(file)).toEqual({ width: size, height: size, transparent: true });
  });

  it.each(globSync('resources/tray/*[!x].png').sort())('%s exists in both resolutions', (file) => {
    const { width, height, transparent } = header(file);
    expect(transparent).toBe(true);
    expect(width).toBe(height);
    expect(header(file.replace('.png', '@2x.png'))).toEqual({
      width: 2 * width,
      height: 2 * height,
      transparent: true,
    });
  });
});
