import { extname } from 'node:path';

/**
 * What the page may load, the same under every host. Everything is off, and only what the page needs is on.
 *
 * @param connect where it may send requests: `'self'` where HTTP is its wire, `'none'` where a preload script is
 */
export function pagePolicy(connect: "'self'" | "'none'"): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // No text becomes markup or script, whatever a mistake in the page may try. Svelte parses its own templates under this name.
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html',
  ].join('; ');
}

/** On every answer to the page, refusals too, beside the policy: nothing is guessed at, told to others or read by others. */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** The content type of a file of the page by its name; undefined for a kind that no page is made of. */
export function pageFileType(name: string): string | undefined {
  return TYPES[extname(name).toLowerCase()];
}
