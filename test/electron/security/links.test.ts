import { describe, expect, it } from 'vitest';
import { openLink } from '../../../src-main/electron/security/security.ts';

async function opened(address: string): Promise<string[]> {
  const calls: string[] = [];
  await openLink({ openExternal: async (url) => void calls.push(url) }, address);
  return calls;
}

describe('opening links', () => {
  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['HTTP://Example.com', 'http://example.com/'],
    ['https://例子.测试/路径', 'https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84'],
    [' https://example.com/"&calc\n', 'https://example.com/%22&calc'],
  ])('opens %j as parsed', async (address, href) => {
    expect(await opened(address)).toEqual([href]);
  });

  it.each([
    '',
    'example.com',
    '//example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,hello',
    'app://broadsheet/index.html',
    'ms-msdt:/id',
    'smb://host/share',
    'mailto:someone@example.com',
    'https://bank.example@evil.example/',
    'https:',
    'C:\\Windows\\System32\\calc.exe',
  ])('rejects %j', async (address) => {
    await expect(opened(address)).rejects.toMatchObject({ code: 'link_refused' });
  });
});
