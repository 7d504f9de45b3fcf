import { describe, expect, it } from 'vitest';
import { canonicalAddress, normalServiceAddress } from '../../src-main/contract/addresses.ts';

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

describe('the canonical address of', () => {
  it.each([
    ['a canonical address', 'https://example.org/a', 'https://example.org/a'],
    ['an upper-case host', 'https://EXAMPLE.Org/A', 'https://example.org/A'],
    ['a default port', 'https://example.org:443/a', 'https://example.org/a'],
    ['the other default port', 'http://example.org:80/a', 'https://example.org/a'],
    ['another port', 'https://example.org:8443/a', 'https://example.org:8443/a'],
    ['http', 'http://example.org/a', 'https://example.org/a'],
    ['a fragment', 'https://example.org/a#part', 'https://example.org/a'],
    ['a trailing slash', 'https://example.org/a/', 'https://example.org/a'],
    ['the root', 'https://example.org/', 'https://example.org'],
    ['campaign parameters', 'https://example.org/a?utm_source=x&utm_medium=y&id=7', 'https://example.org/a?id=7'],
    ['only campaign parameters', 'https://example.org/a/?UTM_Campaign=x&ref=y', 'https://example.org/a'],
    ['click marks', 'https://example.org/a?fbclid=1&gclid=2&b=1', 'https://example.org/a?b=1'],
    ['parameters in another order', 'https://example.org/a?b=2&a=1', 'https://example.org/a?a=1&b=2'],
    ['a repeated parameter', 'https://example.org/a?a=2&a=1', 'https://example.org/a?a=1&a=2'],
    ['a parameter that only starts the same', 'https://example.org/a?reference=1', 'https://example.org/a?reference=1'],
    ['an empty query', 'https://example.org/a?', 'https://example.org/a'],
    ['a Chinese path', 'https://example.org/新闻', 'https://example.org/%E6%96%B0%E9%97%BB'],
    ['spaces around it', ' https://example.org/a ', 'https://example.org/a'],
    ['dots in a path', 'https://example.org/b/../a', 'https://example.org/a'],
    ['a Chinese host', 'https://例子.example/a', 'https://xn--fsqu00a.example/a'],
  ])('%s', (_what, link, address) => {
    expect(canonicalAddress(link)).toBe(address);
    expect(canonicalAddress(address)).toBe(address);
  });

  it.each([null, '', 'no address', 'javascript:alert(1)', 'mailto:a@example.org', '/a', 'https://'])(
    '%j is null',
    (link) => {
      expect(canonicalAddress(link)).toBeNull();
    },
  );
});
