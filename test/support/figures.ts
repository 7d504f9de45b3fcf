import { isWhole } from './proofs.ts';

/** The work of a test in its long form. */
export interface Figures {
  /** A noun phrase, such as "processes killed". */
  what: string;
  amount: number;
  /** Counts such as "lost user rows", with their numbers. */
  counts: Readonly<Record<string, number | string>>;
}

/** Prints figures in the proofs. docs/faults.md has them. */
export function noteFigures({ what, amount, counts }: Figures): void {
  const held = Object.entries(counts).map(([name, value]) => `${name} ${value}`);
  if (isWhole) process.stdout.write(`${amount} ${what}: ${held.join(', ')}\n`);
}
