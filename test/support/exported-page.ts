import type { ParsedDocument } from 'jsdom';
import { expect } from 'vitest';
import { parseHtml, parseXml } from './feeds.ts';

/** Parses a page as HTML, and as XML too, which rejects unclosed and wrongly nested elements. */
export function checkPage(html: string): ParsedDocument {
  const document = parseHtml(html);
  expect(document.doctype?.name).toBe('html');
  expect(document.compatMode).toBe('CSS1Compat');
  const strict = html.replace('<!doctype html>', '').replace(/<meta ([^>]*)>/g, '<meta $1/>');
  parseXml(strict, 'application/xhtml+xml');
  expect(document.querySelector('html')?.lang).toBeTruthy();
  expect(document.title).toBeTruthy();
  expect(document.querySelectorAll('script, link, img, iframe, object, base, form, [src], [onclick]')).toHaveLength(0);
  expect([...document.body.children].map(({ localName }) => localName)).toEqual(['main']);
  expect(html).not.toMatch(/url\(|@import/);
  return document;
}
