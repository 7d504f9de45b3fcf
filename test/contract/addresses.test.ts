import { describe, expect, it } from 'vitest';
import { normalServiceAddress } from '../../src-main/contract/addresses.ts';

describe('the normal form of a service address', () => {
  it.each([
    ['http://127.1', 'http://127.0.0.1'],
    ['http://0x7f.0.0.1/', 'http://127.0.0.1'],
    ['HTTP://127.0.0.1', 'http://127.0.0.1'],
    ['HTTPS://News.Example', 'https://news.example'],
    ['http://news.example:80/', 'http://news.example'],
    ['https://news.example:443', 'https://news.example'],
    ['https://news.example:8443/', 'https://news.example:8443'],
    ['https://news.example.', 'https://news.example'],
    ['https://news.example../news/', 'https://news.example/news'],
    ['https://news.example.:8443/news', 'https://news.example:8443/news'],
    ['https://news.example/news//', 'https://news.example/news'],
    ['https://news.example/a/../news/.', 'https://news.example/news'],
    ['https://news.example/%7Enews/%e6%96%b0', 'https://news.example/~news/%E6%96%B0'],
    ['https://news.example/~news/新', 'https://news.example/~news/%E6%96%B0'],
    ['https://news.example/a%2fb', 'https://news.example/a%2Fb'],
    ['https://新闻.example', 'https://xn--efvy88h.example'],
    ['http://[::1]:80/', 'http://[::1]'],
    ['  https://news.example  ', 'https://news.example'],
    ['https://news.example/News?#', 'https://news.example/News'],
  ])('of %s is %s', (text, wanted) => {
    expect(normalServiceAddress(text)).toBe(wanted);
    expect(normalServiceAddress(wanted)).toBe(wanted);
  });

  it.each(['demo', '', 'ftp://news.example', 'https://user@news.example', 'https://news.example/?q=1', 'https://.'])(
    'does not exist for %j',
    (text) => {
      expect(normalServiceAddress(text)).toBeNull();
    },
  );
});
