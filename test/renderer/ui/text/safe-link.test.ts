import { describe, expect, it } from 'vitest';
import { isServiceAddress, safeLink } from '../../../../src-main/contract/addresses.ts';

describe('a link of the service', () => {
  it.each([
    ['https://news.example/a?b=c#d', 'https://news.example/a?b=c#d'],
    ['http://news.example', 'http://news.example/'],
    ['HTTPS://News.Example/x', 'https://news.example/x'],
    ['  https://news.example/x ', 'https://news.example/x'],
  ])('may be opened: %s', (text, normal) => {
    expect(safeLink(text)).toBe(normal);
  });

  it.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'blob:https://news.example/1',
    'mailto:somebody@news.example',
    'vbscript:x',
    '//news.example/x',
    '/relative',
    'https://user:secret@news.example/',
    'not a link',
    '',
    null,
    undefined,
  ])('is refused: %j', (text) => {
    expect(safeLink(text)).toBeNull();
  });
});

describe('a service address', () => {
  it.each(['https://news.example', 'http://127.0.0.1:4000/base/'])('may be %s', (text) => {
    expect(isServiceAddress(text)).toBe(true);
  });

  it.each([
    'news.example',
    'ftp://news.example',
    'https://a:b@news.example',
    'https://news.example?x=1',
    'https://news.example#x',
  ])('may not be %s', (text) => {
    expect(isServiceAddress(text)).toBe(false);
  });
});
