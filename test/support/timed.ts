/**
 * True if limits of time are checked: in `npm run proofs`, which runs the files that import this one after the other, when
 * nothing else of it runs.
 */
export const isTimed = process.env['BROADSHEET_TIMED'] === '1';
