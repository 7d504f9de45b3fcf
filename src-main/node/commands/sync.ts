import { countOf, formatCount } from '../../common/numbers.ts';
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
import { Progress, QUIET } from '../progress.ts';
import { OPENING, print } from '../run-command.ts';
import { EXIT, printUnreachable } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';
import type { ExportOutcome } from '../standing-exports.ts';
import { jsonLine, localTime, oneLine, red, type Text, wordOf, yellow } from '../terminal-text.ts';
import { exportText } from './exports.ts';
import { confirmingText, fact, portionText } from './status.ts';

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
      ...QUIET,
    },
    run: async ({ all = false, accept = null, quiet = false }, invocation) => {
      const { shell, json } = invocation;
      const progress = new Progress(shell, quiet);
      progress.show(OPENING);
      try {
        const synced = await syncOnce(invocation, all, accept, progress).finally(() => progress.end());
        const { result, hasGateway, failures } = synced;
        for (const { error } of Object.values(result.resources))
          if (error?.code === 'unreachable') await printUnreachable(shell, error.message);
        const to = quiet && !json ? shell.err : shell.out;
        if (!quiet || json || !result.ok) await print(invocation, result, resultText(result, hasGateway), to);
        for (const { name, error } of failures) await shell.err.line(exportText(name, error));
        return result.ok && failures.length === 0 ? EXIT.well : EXIT.failed;
      } catch (error) {
        if (!json) throw error;
        // For scripts, in the same format as for a single resource.
        await shell.out.line(jsonLine({ ok: false, error: toFailure(error) }));
        return EXIT.failed;
      }
    },
  }),
};

type Accepted = { resource: AcceptableResource } & Confirming;

interface Result extends SyncResult {
  resources: Record<ResourceName, ResourceResult & { confirming?: Confirming }>;
  /** The smaller answer that was accepted first; null if there was none. Missing without `--accept`. */
  accepted?: Accepted | null;
}

async function syncOnce(
  invocation: Invocation,
  all: boolean,
  accept: AcceptableResource | null,
  progress: Progress,
): Promise<{ result: Result; hasGateway: boolean; failures: ExportOutcome[] }> {
  const [{ openToWrite }, { failedExports, watchChanges }] = await Promise.all([
    import('../open-to-write.ts'),
    import('../standing-exports.ts'),
  ]);
  const options = { fetches: true, engineModule: invocation.shell.engineModule, runsHook: true };
  const { wire, call, close, through, hook } = await openToWrite(invocation, options);
  const stop = new AbortController();
  // Closing cancels the sync; the next one continues.
  onShutdownSignal(
    () => {
      stop.abort();
      void Promise.all([hook?.stop(), close()]);
    },
    { watchStdin: false },
  );
  try {
    const takeChanged = watchChanges(wire);
    progress.show('Syncing');
    progress.follow(wire);
    const { source } = await call('gateway.get', {});
    const accepted = accept === null ? {} : { accepted: await acceptSmaller(call, accept) };
    const replaced: object[] = [];
    wire.on('data.replaced', (event) => replaced.push(event));
    let result = await call('sync.run', { urgency: all ? 'all' : 'due' });
    // The sync ended with a check of the databases: what was damaged has been set aside, and is downloaded again.
    let status = await call('sync.status', {});
    if (replaced.length > 0) {
      result = await call('sync.run', { urgency: 'due' });
      status = await call('sync.status', {});
    }
    // A resource that failed and is not due again yet still fails, as does one that the service doesn't permit now.
    const waits = status.resources.some(({ name, error }) => {
      const { status: outcome, waitUntil } = result.resources[name];
      const isFailing = error !== null && (source !== null || !isModelList(name));
      return outcome === 'notDue' && (isFailing || waitUntil !== undefined);
    });
    const resources: Result['resources'] = { ...result.resources };
    for (const { name, confirming } of status.resources)
      if (confirming) resources[name] = { ...resources[name], confirming };
    // `serve` runs them itself.
    const runsExports = takeChanged() && through !== 'node';
    if (runsExports) progress.show('Exporting');
    const failures = runsExports ? await failedExports(invocation, { call, stop: stop.signal }) : [];
    const isWell = result.ok && !waits;
    return { result: { ...result, resources, ok: isWell, ...accepted }, hasGateway: source !== null, failures };
  } finally {
    await close();
    if (hook?.isBusy) progress.show('Running the hook');
    await hook?.settled();
  }
}

async function acceptSmaller(call: Call, resource: AcceptableResource): Promise<Accepted | null> {
  const confirmingIn = ({ resources }: SyncStatus): Confirming | null =>
    resources.find(({ name }) => name === resource)?.confirming ?? null;
  const confirming = confirmingIn(await call('sync.status', {}));
  const after = confirmingIn(await call('sync.accept', { resource }));
  return confirming?.acceptable && !after?.acceptable ? { resource, ...confirming } : null;
}

function resultText({ resources, counts, indexing, accepted }: Result, hasGateway: boolean): Text[] {
  const outcomes = RESOURCES.flatMap((name) => {
    const result = resources[name];
    const outcome = isModelList(name) && !hasGateway ? 'no model service set' : outcomeText(result);
    const main = fact(wordOf(name), result.status === 'failed' ? red(outcome) : outcome);
    return result.confirming ? [main, fact('', yellow(confirmingText(name, result.confirming)))] : [main];
  });
  const { items, selected, unread, starred } = counts;
  const stored = `${countOf(items, 'item')}, ${count(selected)} picks, ${count(unread)} unread, ${count(starred)} starred`;
  const text = accepted
    ? `${wordOf(accepted.resource)}: ${portionText(accepted)}`
    : 'nothing: no smaller answer was held';
  return [
    ...(accepted === undefined ? [] : [fact('accepted', text)]),
    ...outcomes,
    fact('saved', stored),
    ...(indexing ? [fact('indexes', red(`not up to date: ${indexing.message}`))] : []),
  ];
}

function count(value: number): string {
  return formatCount('en', value);
}

export function outcomeText(result: ResourceResult): string {
  if (result.status === 'notDue') return notDueText(result);
  const requests = countOf(result.requests, 'request');
  const left = leftOutText(result);
  if (result.status === 'notModified') return `nothing new${left} (${requests})`;
  const older = result.older ? ` (${count(result.older)} older)` : '';
  const changes = `${count(result.added)} added${older}, ${count(result.revised)} updated, ${count(result.withdrawn)} removed`;
  if (result.status === 'ok') return `${changes}${left} (${requests})`;
  // Printed once per command, on stderr.
  if (result.error?.code === 'disk_full') return `failed: the disk is full (${requests})`;
  if (result.error?.code === 'unreachable') return `failed: unreachable (${requests})`;
  const id = result.error?.requestId === undefined ? '' : ` [request ${result.error.requestId}]`;
  return oneLine(`failed: ${result.error?.message ?? 'unknown reason'}${id} (${requests})`);
}

function notDueText({ waitUntil }: ResourceResult): string {
  return waitUntil === undefined ? 'not due yet' : `the service asked to wait until ${localTime(waitUntil)}`;
}

function leftOutText({ skipped, unreadableFields = 0, missed = 0 }: ResourceResult): string {
  return [
    missed === 0 ? '' : `, ${count(missed)} could not be downloaded`,
    skipped === missed ? '' : `, ${countOf(skipped - missed, 'invalid record')} skipped`,
    unreadableFields === 0 ? '' : `, ${countOf(unreadableFields, 'field')} could not be read`,
  ].join('');
}
