import { Argument, type Command } from 'commander';
import { REPORT_KINDS } from '../../../contract/model/report.ts';
import { parseText } from '../../invocation.ts';
import { UsageError } from '../../shell.ts';
import { LATEST, type Run } from '../reading-commands.ts';
import { suggesting } from '../shell/suggestions.ts';
import type { OpenOptions } from './open.ts';

interface Flags {
  print?: boolean;
  web?: boolean;
}

/** Adds the command that opens something in the browser. */
export function addOpen(program: Command, run: Run): void {
  program
    .command('open')
    .description(
      'open a saved report, story or item in the browser: in Broadsheet while `serve` runs, else its web page',
    )
    .addArgument(new Argument('<what>', 'what to open').choices([...REPORT_KINDS, 'story', 'item']))
    .addArgument(
      suggesting(
        new Argument('[id]', 'the id; for a report, a date, week or month (default: the latest)').argParser(
          parseText(512),
        ),
        LATEST,
      ),
    )
    .option('--web', 'the page where it was published, also while `serve` runs')
    .option('--print', 'print the address instead; also without a display, in CI and with BROWSER=none')
    .action((what: OpenOptions['what'], id: string | undefined, { print = false, web = false }: Flags) =>
      run(async (invocation) => {
        const wanted = id ?? (what === 'item' || what === 'story' ? undefined : 'latest');
        if (wanted === undefined) throw new UsageError("missing required argument 'id'");
        return (await import('./open.ts')).open(invocation, { what, id: wanted, print, web });
      }),
    );
}
