import type { z } from 'zod';
import { mix } from './random.ts';

/** An opaque text with a value and a checksum, which exposes damaged and invented tokens. */
export function sealToken(value: unknown): string {
  const text = JSON.stringify(value);
  return `${Buffer.from(text).toString('base64url')}.${checksum(text)}`;
}

/** The value of a token, or null if the service did not make it. */
export function openToken<T>(token: string, shape: z.ZodType<T>): T | null {
  const [body = '', sum] = token.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  if (checksum(text) !== sum) return null;
  return shape.safeParse(JSON.parse(text)).data ?? null;
}

function checksum(text: string): string {
  return mix(...Buffer.from(text)).toString(36);
}
