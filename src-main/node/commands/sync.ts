import { toFailure } from '../../contract/errors.ts';
import type { SyncReport } from '../../contract/model.ts';
import type { Invocation } from '../invocation.ts';
import { ask, openCore } from '../open_core.ts';
import { EXIT } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { onStopSign } from '../stop_signs.ts';
import { counted, jsonLine } from '../terminal.ts';
import { outcomeInWords } from './outcome.ts';

/** One round of what is due, or of everything. Exit 1 when a resource failed; what the others brought is stored. */
export async function sync(invocation: Invocation, { all }: { all: boolean }): Promise<ExitCode> {
  try {
    const report = await syncOnce(invocation, all);
    for (const line of invocation.json ? [jsonLine(report)] : reportInWords(report))
      await invocation.shell.out.line(line);
    return report.ok ? EXIT.well : EXIT.failed;
  } catch (error) {
    if (!invocation.json) throw error;
    // A script that reads stdout finds the reason there, in the same form as a resource's own error.
    await invocation.shell.out.line(jsonLine({ ok: false, error: toFailure(error) }));
    return EXIT.failed;
  }
}

async function syncOnce(invocation: Invocation, all: boolean): Promise<SyncReport> {
  const opened = await openCore(invocation, { fetches: true, waits: true });
  // Closing ends the round where it is: what was stored stays, and the next round goes on from there.
  onStopSign(() => void opened.close(), { watchStdin: false });
  try {
    return await ask(opened.wire, 'sync.run', { urgency: all ? 'now' : 'due' });
  } finally {
    await opened.close();
  }
}

function reportInWords({ resources, counts }: SyncReport): string[] {
  const lines = Object.entries(resources).map(([name, report]) => `${name.padEnd(9)} ${outcomeInWords(report)}`);
  const { items, selected, unread, starred } = counts;
  const stored = [counted(items, 'item'), `${selected} selected`, `${unread} unread`, `${starred} starred`];
  return [...lines, `stored    ${stored.join(', ')}`];
}
