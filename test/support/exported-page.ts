import { JSDOM, type ParsedDocument } from 'jsdom';
import { expect } from 'vitest';

/** Parses a page as HTML, and as XML too, which rejects unclosed and wrongly nested elements. */
export function checkPage(html: string): ParsedDocument {
  const { document, DOMParser } = new JSDOM(html).window;
  expect(document.doctype?.name).toBe('html');
  expect(document.compatMode).toBe('CSS1Compat');
  const strict = html.replace('<!doctype html>', '').replace(/<meta ([^>]*)>/g, '<meta $1/>');
  const parsed = new DOMParser().parseFromString(strict, 'application/xhtml+xml');
  expect(parsed.querySelector('parsererror')?.textContent).toBeUndefined();
  expect(document.querySelector('html')?.lang).toBeTruthy();
  expect(document.title).toBeTruthy();
  expect(document.querySelectorAll('script, link, img, iframe, object, base, form, [src], [onclick]')).toHaveLength(0);
  expect([...document.body.children].map(({ localName }) => localName)).toEqual(['main']);
  expect(html).not.toMatch(/url\(|@import/);
  return document;
}
