import { formatCount } from '../common/numbers.ts';
import type { Wire } from '../contract/wire.ts';
import { flag } from './command.ts';
import type { Shell } from './shell.ts';
import { wordOf } from './terminal-text.ts';

/** In ms, of a line that is replaced, and between lines that are not: in the mail of cron or the log of a service. */
const REDRAWN_EVERY = 100;
const PRINTED_EVERY = 10_000;
const BAR = 20;

export const QUIET = { quiet: flag('print only errors, for cron') };

/** Shows on stderr how far a command is, while its results go to stdout. */
export class Progress {
  readonly #shell: Shell;
  readonly isQuiet: boolean;
  readonly #isHidden: boolean;
  #shownAt: number;
  #phase = '';

  constructor(shell: Shell, quiet = false, hidden = quiet) {
    this.#shell = shell;
    this.isQuiet = quiet;
    this.#isHidden = hidden;
    this.#shownAt = shell.err.isRewritable ? -Infinity : performance.now();
  }

  /** A line that is replaced can be seen, so that others need not be printed. */
  get isDrawn(): boolean {
    return !this.#isHidden && this.#shell.err.isRewritable;
  }

  show(phase: string, done?: number, total: number | null = null): void {
    const { err } = this.#shell;
    const now = performance.now();
    const isNew = err.isRewritable && (phase !== this.#phase || done === total);
    if (this.#isHidden || (!isNew && now - this.#shownAt < (err.isRewritable ? REDRAWN_EVERY : PRINTED_EVERY))) return;
    this.#shownAt = now;
    this.#phase = phase;
    const text = `${phase}${progressText(done, total, err.isRewritable)}`;
    if (err.isRewritable) err.status(text);
    else void err.line(text);
  }

  /** Also works for a download in another process, because it takes the event that the page gets. */
  follow(wire: Pick<Wire, 'on'>): void {
    wire.on('sync.changed', ({ resources }) => {
      const counted = resources.flatMap(({ name, progress }) => (progress ? [{ name, ...progress }] : []));
      const [longest] = counted.sort((a, b) => (b.expected ?? b.stored) - (a.expected ?? a.stored));
      const running = resources.filter((resource) => resource.running).map(({ name }) => wordOf(name));
      if (longest) this.show(`Downloading ${wordOf(longest.name)}`, longest.stored, longest.expected);
      else if (running.length > 0) this.show(`Downloading ${running.join(', ')}`);
      else if (this.#phase.startsWith('Downloading')) this.show('Updating the indexes');
    });
  }

  end(): void {
    this.#shell.err.status('');
  }
}

/** ` [#####---------------] 25,000 of 100,000` */
function progressText(done: number | undefined, total: number | null, drawn: boolean): string {
  if (done === undefined) return ' …';
  const count = formatCount('en', done);
  if (total === null || total < done) return `: ${count}`;
  const filled = total === 0 ? BAR : Math.floor((done / total) * BAR);
  const bar = drawn ? ` [${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}]` : ':';
  return `${bar} ${count} of ${formatCount('en', total)}`;
}
