import type { z } from 'zod';
import { mix } from './random.ts';

/** Adds a checksum, which exposes damaged and invented tokens. */
export function sealToken(value: unknown): string {
  const text = JSON.stringify(value);
  return `${Buffer.from(text).toString('base64url')}.${checksum(text)}`;
}

/** Returns null if the service did not make the token. */
export function openToken<T>(token: string, shape: z.ZodType<T>): T | null {
  const [body = '', sum] = token.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  if (checksum(text) !== sum) return null;
  return shape.safeParse(JSON.parse(text)).data ?? null;
}

function checksum(text: string): string {
  return mix(...Buffer.from(text)).toString(36);
}
