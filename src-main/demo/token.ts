import type { z } from 'zod';
import { mix } from './random.ts';

/** An opaque text that holds a value and a check sum, so that a mangled or made-up one is noticed. */
export function sealToken(value: unknown): string {
  const text = JSON.stringify(value);
  return `${Buffer.from(text).toString('base64url')}.${checkSum(text)}`;
}

/** What was sealed, or null when it was not sealed here. */
export function openToken<T>(token: string, shape: z.ZodType<T>): T | null {
  const [body = '', sum] = token.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  if (checkSum(text) !== sum) return null;
  return shape.safeParse(JSON.parse(text)).data ?? null;
}

function checkSum(text: string): string {
  return mix(...Buffer.from(text)).toString(36);
}
