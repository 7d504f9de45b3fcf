/** With the value `required`, a suite that needs the real Electron fails where it would be skipped: in the hosted workflows. */
export const ELECTRON_VARIABLE = 'BROADSHEET_TEST_ELECTRON';

/** Passes on why a suite is skipped. Errors: if it must not be. */
export function unlessRequired(reason: string | null, env: NodeJS.ProcessEnv = process.env): string | null {
  if (reason !== null && env[ELECTRON_VARIABLE] === 'required') {
    throw new Error(`${ELECTRON_VARIABLE} is "required", but the suite cannot run: ${reason}.`);
  }
  return reason;
}
