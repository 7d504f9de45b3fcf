import { appendFileSync } from 'node:fs';

/** What the long form of a test did. */
export interface Figures {
  /** A noun phrase, such as "processes killed". */
  what: string;
  amount: number;
  /** What was counted meanwhile, such as "lost user rows", with its number. */
  counts: Readonly<Record<string, number | string>>;
}

/** Notes figures for `npm run faults` (scripts/faults.mjs), which prints them and writes docs/faults.md. */
export function noteFigures(figures: Figures): void {
  const file = process.env['BROADSHEET_FIGURES'];
  if (file) appendFileSync(file, `${JSON.stringify(figures)}\n`);
}
