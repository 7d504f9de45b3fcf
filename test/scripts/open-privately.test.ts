import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPrivately, redirectPage } from '../../scripts/setup/open-privately.mjs';

const ADDRESS = 'http://127.0.0.1:4000/?token=abc-DEF_123';

describe('an address with a secret', () => {
  it('is opened through a file that only the user can read, and that is removed', async () => {
    const seen: { file: string; text: string; modes: number[] }[] = [];
    const remove = await openPrivately(ADDRESS, async (file) => {
      const modes = [file, dirname(file)].map((path) => statSync(path).mode & 0o777);
      seen.push({ file, text: readFileSync(file, 'utf8'), modes });
    });
    const [opened] = seen;
    expect(opened?.file).toMatch(/\.html$/);
    expect(opened?.file).not.toContain('abc-DEF_123');
    if (process.platform !== 'win32') expect(opened?.modes).toEqual([0o600, 0o700]);
    expect(opened?.text).toContain(`content="0; url=${ADDRESS}"`);
    await remove();
    expect(existsSync(dirname(opened?.file ?? ''))).toBe(false);
  });

  it('leaves no file if nothing can open it', async () => {
    let file = '';
    const failed = openPrivately(ADDRESS, (path) => {
      file = path;
      return Promise.reject(new Error('no browser'));
    });
    await expect(failed).rejects.toThrow('no browser');
    expect(existsSync(dirname(file))).toBe(false);
  });

  it('keeps what it says about the place in the page', () => {
    const address = `${ADDRESS}#open=broadsheet%3A%2F%2Fitem%2Fa%2520b`;
    expect(redirectPage(address)).toContain(`content="0; url=${address}"`);
  });

  it('cannot break out of the page', () => {
    expect(redirectPage('http://127.0.0.1/"><script>')).not.toContain('<script>');
  });
});
