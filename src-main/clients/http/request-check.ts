import type { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';

/** Validates the parameters of a request. Errors: `invalid_argument`, before anything is sent. */
export function checkRequest<T>(schema: z.ZodType<T>, request: unknown): T {
  const checked = schema.safeParse(request);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw new BroadsheetError(
    'invalid_argument',
    `${issue?.path.join('.') || 'request'}: ${issue?.message ?? 'is invalid'}`,
  );
}
