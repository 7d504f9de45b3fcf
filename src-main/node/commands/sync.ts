import { toFailure } from '../../contract/errors.ts';
import { isModelList, RESOURCES } from '../../contract/model/resource.ts';
import type { SyncResult } from '../../contract/model/sync-status.ts';
import type { Invocation } from '../invocation.ts';
import { ask, openCore } from '../open-core.ts';
import { EXIT } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';
import { counted, jsonLine } from '../terminal.ts';
import { outcomeInWords } from './outcome.ts';

/** One round of what is due, or of everything. Exit 1 when a resource failed; what the others brought is stored. */
export async function sync(invocation: Invocation, { all }: { all: boolean }): Promise<ExitCode> {
  try {
    const { report, hasGateway } = await syncOnce(invocation, all);
    for (const line of invocation.json ? [jsonLine(report)] : reportInWords(report, hasGateway))
      await invocation.shell.out.line(line);
    return report.ok ? EXIT.well : EXIT.failed;
  } catch (error) {
    if (!invocation.json) throw error;
    // A script that reads stdout finds the reason there, in the same form as a resource's own error.
    await invocation.shell.out.line(jsonLine({ ok: false, error: toFailure(error) }));
    return EXIT.failed;
  }
}

interface Done {
  report: SyncResult;
  hasGateway: boolean;
}

async function syncOnce(invocation: Invocation, all: boolean): Promise<Done> {
  const opened = await openCore(invocation, { fetches: true, waits: true });
  // Closing ends the round where it is: what was stored stays, and the next round goes on from there.
  onShutdownSignal(() => void opened.close(), { watchStdin: false });
  try {
    const { source } = await ask(opened.wire, 'gateway.get', {});
    const report = await ask(opened.wire, 'sync.run', { urgency: all ? 'now' : 'due' });
    return { report, hasGateway: source !== null };
  } finally {
    await opened.close();
  }
}

function reportInWords({ resources, counts }: SyncResult, hasGateway: boolean): string[] {
  const lines = RESOURCES.map((name) => {
    const outcome = isModelList(name) && !hasGateway ? 'no model service is named' : outcomeInWords(resources[name]);
    return `${name.padEnd(10)} ${outcome}`;
  });
  const { items, selected, unread, starred } = counts;
  const stored = [counted(items, 'item'), `${selected} selected`, `${unread} unread`, `${starred} starred`];
  return [...lines, `stored     ${stored.join(', ')}`];
}
