import { appendFileSync } from 'node:fs';

/** The work of a test in its long form. */
export interface Figures {
  /** A noun phrase, such as "processes killed". */
  what: string;
  amount: number;
  /** Counts such as "lost user rows", with their numbers. */
  counts: Readonly<Record<string, number | string>>;
}

/** Notes figures for `npm run faults` (scripts/faults.mjs), which prints them and writes docs/faults.md. */
export function noteFigures(figures: Figures): void {
  const file = process.env['BROADSHEET_FIGURES'];
  if (file) appendFileSync(file, `${JSON.stringify(figures)}\n`);
}
