// Loaded into Electron's installer, which prints the errors of `fetch` without their causes.
const { fetch: original } = globalThis;

/** @param {Parameters<typeof original>} request */
async function fetchWithCause(...request) {
  try {
    return await original(...request);
  } catch (error) {
    const { message, cause } = /** @type {Error & { cause?: NodeJS.ErrnoException }} */ (error);
    throw new Error(`${message}: ${cause?.code}`, { cause: error });
  }
}

Object.assign(globalThis, { fetch: fetchWithCause });
