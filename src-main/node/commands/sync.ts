import { toFailure } from '../../contract/errors.ts';
import { isModelList, RESOURCES, type AcceptableResource } from '../../contract/model/resource.ts';
import type { SyncResult } from '../../contract/model/sync-status.ts';
import type { Invocation } from '../invocation.ts';
import { call, openCore } from '../open-core.ts';
import { ENGINE_MODULE } from '../project.ts';
import { EXIT } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';
import { dim, line, red, type Text } from '../styled-text.ts';
import { counted, jsonLine } from '../terminal.ts';
import { outcomeText } from './outcome.ts';

export interface SyncChoice {
  all: boolean;
  /** A smaller list that is accepted first. */
  accept: AcceptableResource | null;
}

/** Syncs what is due, or everything. Exit code 1 if a resource or an index failed; the others are saved. */
export async function sync(invocation: Invocation, choice: SyncChoice): Promise<ExitCode> {
  try {
    const { report, hasGateway } = await syncOnce(invocation, choice);
    for (const text of invocation.json ? [jsonLine(report)] : reportText(report, hasGateway))
      await invocation.shell.out.line(text);
    return report.ok ? EXIT.well : EXIT.failed;
  } catch (error) {
    if (!invocation.json) throw error;
    // Scripts that read stdout get the error in the same format as for a single resource.
    await invocation.shell.out.line(jsonLine({ ok: false, error: toFailure(error) }));
    return EXIT.failed;
  }
}

interface Result {
  report: SyncResult;
  hasGateway: boolean;
}

async function syncOnce(invocation: Invocation, { all, accept }: SyncChoice): Promise<Result> {
  // In its own thread, because an engine in this one would keep signals waiting while it is busy.
  const opened = await openCore(invocation, { fetches: true, engineModule: ENGINE_MODULE, waits: true });
  // Closing cancels the sync. Saved data stays, and the next sync continues.
  onShutdownSignal(() => void opened.close(), { watchStdin: false });
  try {
    const { source } = await call(opened.wire, 'gateway.get', {});
    if (accept !== null) await call(opened.wire, 'sync.accept', { resource: accept });
    const replaced: object[] = [];
    opened.wire.on('data.replaced', (event) => replaced.push(event));
    let report = await call(opened.wire, 'sync.run', { urgency: all ? 'all' : 'due' });
    // The sync ended with a check of the databases: what was damaged has been set aside, and is downloaded again.
    let status = await call(opened.wire, 'sync.status', {});
    if (replaced.length > 0) {
      report = await call(opened.wire, 'sync.run', { urgency: 'due' });
      status = await call(opened.wire, 'sync.status', {});
    }
    // What failed and is not due again yet has failed still.
    const waits = status.resources.some(
      ({ name, error }) =>
        error !== null && report.resources[name].status === 'notDue' && (source !== null || !isModelList(name)),
    );
    return { report: { ...report, ok: report.ok && !waits }, hasGateway: source !== null };
  } finally {
    await opened.close();
  }
}

function reportText({ resources, counts, indexing }: SyncResult, hasGateway: boolean): Text[] {
  const outcomes = RESOURCES.map((name) => {
    const result = resources[name];
    const outcome = isModelList(name) && !hasGateway ? 'no model service set' : outcomeText(result);
    return line`${dim(name.padEnd(10))} ${result.status === 'failed' ? red(outcome) : outcome}`;
  });
  const { items, selected, unread, starred } = counts;
  const stored = [counted(items, 'item'), `${selected} selected`, `${unread} unread`, `${starred} starred`];
  const lines = [...outcomes, line`${dim('saved     ')} ${stored.join(', ')}`];
  return indexing ? [...lines, line`${dim('indexes   ')} ${red(`not up to date: ${indexing.message}`)}`] : lines;
}
