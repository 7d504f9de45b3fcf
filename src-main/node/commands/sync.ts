import { countOf } from '../../common/numbers.ts';
import { toFailure } from '../../contract/errors.ts';
import {
  ACCEPTABLE_RESOURCES,
  isModelList,
  RESOURCES,
  type AcceptableResource,
  type ResourceName,
} from '../../contract/model/resource.ts';
import type { Confirming, ResourceResult, SyncResult, SyncStatus } from '../../contract/model/sync-status.ts';
import type { Call } from '../../contract/wire.ts';
import { choice, flag, option, ownCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { ENGINE_MODULE } from '../project.ts';
import { print } from '../run-command.ts';
import { EXIT } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';
import { dim, line, red, yellow, type Text, jsonLine } from '../terminal-text.ts';
import { confirmingText, fact, outcomeText, portionText } from './status.ts';

export const SYNC_COMMANDS = {
  // Exit code 1 if a resource or an index failed; the others are saved.
  sync: ownCommand({
    about: 'download what is due, then exit',
    options: {
      all: flag('download everything now, but never before a Retry-After has passed'),
      accept: {
        ...option(
          'list',
          choice('first apply the smaller list that `status` shows as waiting for you', ACCEPTABLE_RESOURCES),
        ),
        conflicts: 'all',
      },
    },
    run: async ({ all = false, accept = null }, invocation) => {
      const { shell, json } = invocation;
      try {
        const { report, hasGateway } = await syncOnce(invocation, { all, accept });
        await print(invocation, report, reportText(report, hasGateway));
        return report.ok ? EXIT.well : EXIT.failed;
      } catch (error) {
        if (!json) throw error;
        // Scripts that read stdout get the error in the same format as for a single resource.
        await shell.out.line(jsonLine({ ok: false, error: toFailure(error) }));
        return EXIT.failed;
      }
    },
  }),
};

interface SyncChoice {
  all: boolean;
  /** A smaller list that is accepted first. */
  accept: AcceptableResource | null;
}

type Accepted = { resource: AcceptableResource } & Confirming;

interface Report extends SyncResult {
  resources: Record<ResourceName, ResourceResult & { confirming?: Confirming }>;
  /** The smaller answer that was accepted first; null if there was none. Missing without `--accept`. */
  accepted?: Accepted | null;
}

interface Result {
  report: Report;
  hasGateway: boolean;
}

async function syncOnce(invocation: Invocation, { all, accept }: SyncChoice): Promise<Result> {
  const { openCore } = await import('../open-core.ts');
  // In its own thread, because an engine in this one would keep signals waiting while it is busy.
  const opened = await openCore(invocation, { fetches: true, engineModule: ENGINE_MODULE, waits: true });
  // Closing cancels the sync. Saved data stays, and the next sync continues.
  onShutdownSignal(() => void opened.close(), { watchStdin: false });
  const { wire, call } = opened;
  try {
    const { source } = await call('gateway.get', {});
    const accepted = accept === null ? {} : { accepted: await acceptSmaller(call, accept) };
    const replaced: object[] = [];
    wire.on('data.replaced', (event) => replaced.push(event));
    let report = await call('sync.run', { urgency: all ? 'all' : 'due' });
    // The sync ended with a check of the databases: what was damaged has been set aside, and is downloaded again.
    let status = await call('sync.status', {});
    if (replaced.length > 0) {
      report = await call('sync.run', { urgency: 'due' });
      status = await call('sync.status', {});
    }
    // A resource that failed and is not due again yet still fails, as does one that the service doesn't permit now.
    const waits = status.resources.some(({ name, error }) => {
      const { status: outcome, waitUntil } = report.resources[name];
      const isFailing = error !== null && (source !== null || !isModelList(name));
      return outcome === 'notDue' && (isFailing || waitUntil !== undefined);
    });
    const resources: Report['resources'] = { ...report.resources };
    for (const { name, confirming } of status.resources)
      if (confirming) resources[name] = { ...resources[name], confirming };
    const whole = { ...report, resources, ok: report.ok && !waits, ...accepted };
    return { report: whole, hasGateway: source !== null };
  } finally {
    await opened.close();
  }
}

async function acceptSmaller(call: Call, resource: AcceptableResource): Promise<Accepted | null> {
  const confirmingIn = ({ resources }: SyncStatus): Confirming | null =>
    resources.find(({ name }) => name === resource)?.confirming ?? null;
  const confirming = confirmingIn(await call('sync.status', {}));
  const after = confirmingIn(await call('sync.accept', { resource }));
  return confirming?.acceptable && !after?.acceptable ? { resource, ...confirming } : null;
}

function reportText(report: Report, hasGateway: boolean): Text[] {
  const { resources, counts, indexing, accepted } = report;
  const outcomes = RESOURCES.flatMap((name) => {
    const result = resources[name];
    const outcome = isModelList(name) && !hasGateway ? 'no model service set' : outcomeText(result);
    const told = line`${dim(name.padEnd(10))} ${result.status === 'failed' ? red(outcome) : outcome}`;
    return result.confirming ? [told, fact('', yellow(confirmingText(name, result.confirming)))] : [told];
  });
  const { items, selected, unread, starred } = counts;
  const stored = [countOf(items, 'item'), `${selected} selected`, `${unread} unread`, `${starred} starred`];
  return [
    ...(accepted === undefined
      ? []
      : [
          fact(
            'accepted',
            accepted ? `${accepted.resource}: ${portionText(accepted)}` : 'nothing: no smaller answer was held',
          ),
        ]),
    ...outcomes,
    fact('saved', stored.join(', ')),
    ...(indexing ? [fact('indexes', red(`not up to date: ${indexing.message}`))] : []),
  ];
}
