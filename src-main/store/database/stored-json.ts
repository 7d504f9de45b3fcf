import type { z } from 'zod';

/** A saved JSON value; null if it is missing, no JSON, or not what this version saves: it then counts as none. */
export function readStored<T>(text: string | null, schema: z.ZodType<T>): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
