import { configure, getConfig } from '@testing-library/svelte';
import { vi } from 'vitest';

/** In ms, for what never comes: a busy computer may be slow. */
export const PATIENCE = 30_000;

function briefError(message: string | null): Error {
  return new Error(message ?? 'Not found');
}

/** Without the roles and the markup of the whole page in the error, which cost more than the query. */
function briefly<T>(attempt: () => T): T {
  const usual = getConfig();
  // Testing library's own `waitFor` does this, too, but it cannot wait for fake timers of vitest.
  const brief = { getElementError: briefError, _disableExpensiveErrorDiagnostics: true };
  configure(brief);
  try {
    return attempt();
  } finally {
    configure(usual);
  }
}

/** `vi.waitFor` for attempts that query the page: only when the time is over is the page described. */
export async function waitFor<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(() => briefly(attempt), PATIENCE).catch(attempt);
}
