import { z } from 'zod';
import { Problem } from './problem.ts';

/** Refuses `+5`, `5.0` and `0x5`. */
export function wholeNumber(low: number, high: number): z.ZodType<number, string> {
  const bounds = `must be an integer from ${low} to ${high}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, bounds)
    .transform(Number)
    .pipe(z.number(bounds).min(low, bounds).max(high, bounds));
}

/** Refuses unknown, repeated and empty parameters (observed-10-parameters). Errors: `invalid_request`. */
export function readQuery<T>(search: URLSearchParams, shape: z.ZodType<T>): T {
  const given: Record<string, string> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(given, name)) throw new Problem('invalid_request', `Query parameter "${name}" is repeated.`);
    if (value === '') throw new Problem('invalid_request', `Query parameter "${name}" is empty.`);
    Object.defineProperty(given, name, { value, enumerable: true });
  }
  const checked = shape.safeParse(given);
  if (checked.success) return checked.data;
  throw new Problem('invalid_request', complaint(checked.error));
}

/** Errors: `invalid_request`. */
export function readNoQuery(search: URLSearchParams): void {
  readQuery(search, z.strictObject({}));
}

function complaint(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') return `Unknown query parameter "${issue.keys[0]}".`;
  return `Query parameter "${issue?.path.join('.')}" ${issue?.message ?? 'is not understood'}.`;
}
