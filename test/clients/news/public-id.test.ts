import { describe, expect, it } from 'vitest';
import { isPublicId, storyAt } from '../../../src-main/clients/news/stories.ts';

describe("a story's public id", () => {
  // Holds: news-4.2-public-id
  it.each<[string, string]>([
    ['https://service.example/stories/abc', 'abc'],
    ['https://service.example/stories/abc/', 'abc'],
    ['https://service.example/stories/abc#reports/2', 'abc'],
    ['https://service.example/stories/%E6%8E%A8%E7%90%86', '推理'],
    ['https://service.example/stories/a%20b%2Fc', 'a b/c'],
    [`https://service.example/stories/${'x'.repeat(128)}`, 'x'.repeat(128)],
    [`https://service.example/stories/${'😀'.repeat(128)}`, '😀'.repeat(128)],
  ])('is the last path segment of %s', (address, id) => {
    expect(storyAt(address)).toBe(id);
  });

  // Holds: news-4.2-no-story-id
  it.each([
    null,
    '',
    'abc',
    '/stories/abc',
    'javascript:alert(1)/abc',
    'https://service.example',
    'https://service.example/',
    'https://service.example/stories/%',
    'https://service.example/stories/%00',
    `https://service.example/stories/${'x'.repeat(129)}`,
  ])('is not guessed from %j', (address) => {
    expect(storyAt(address)).toBeNull();
  });

  // Holds: news-4.3-public-id-length, news-8-public-id
  it.each([
    ['', false],
    ['a', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['😀'.repeat(128), true],
    ['.', false],
    ['..', false],
    ['a\0b', false],
    ['\ud800', false],
  ])('%j is valid: %s', (id, fits) => {
    expect(isPublicId(id)).toBe(fits);
  });
});
