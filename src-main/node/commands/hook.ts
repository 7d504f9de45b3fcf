import { InvalidArgumentError } from 'commander';
import { HOOK_EVENTS, type HookEvent } from '../../contract/model/notification.ts';
import type { Hook, LastRun, Variables } from '../../core/hook.ts';
import { flag, option, optional, ownCommand, required, choice } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { print } from '../run-command.ts';
import { EXIT, isAgreed, MachineError, UsageError, type ExitCode } from '../shell.ts';
import { localTime, red, severalLines, type Text } from '../terminal-text.ts';
import { fact } from './status.ts';

const LONGEST_WORD = 4_096;
const MOST_WORDS = 64;
/** They would show another command than the one that runs. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** An id and an address. */
const SAMPLES: Readonly<Record<HookEvent, readonly [string, string]>> = {
  daily: ['2026-11-20', 'broadsheet://daily/2026-11-20'],
  weekly: ['2026-W47', 'broadsheet://weekly/2026-W47'],
  monthly: ['2026-11', 'broadsheet://monthly/2026-11'],
  story: ['test', 'broadsheet://story/test'],
  search: ['test', 'https://news.example/test'],
  price: ['example/test', ''],
};

const HELP = `
It runs without a shell, in your home folder and for at most a minute, after each sync that finds something:
  daily, weekly, monthly   a new report
  story                    news on a topic that you follow
  search                   new items in a saved search that notifies
  price                    a changed price of a model
The environment says what it is: BROADSHEET_EVENT, BROADSHEET_TITLE, BROADSHEET_ID, BROADSHEET_URL, BROADSHEET_NAME (of the
search) and BROADSHEET_COUNT. BROADSHEET_DATA is the data folder. Titles are texts of the service: put them in quotes.`;

export const HOOK_COMMANDS = {
  'hook set': ownCommand({
    about: 'show what will be run, ask and save it',
    args: {
      command: {
        about: 'after --, the program and its arguments',
        several: true,
        parse: (word: string, before: string[] | undefined): string[] => [...(before ?? []), parseWord(word)],
      },
    },
    options: {
      on: required(option('events', { about: 'for what: daily,search,price', words: HOOK_EVENTS, parse: parseEvents })),
      yes: flag('do not ask'),
    },
    help: HELP,
    run: async ({ on, command: [program = '', ...args], yes = false }, invocation) => {
      if (args.length >= MOST_WORDS) throw new UsageError(`a hook has at most ${String(MOST_WORDS)} words`);
      const { shell, json, dataFolder } = invocation;
      const { findProgram, saveHook } = await import('../../core/hook.ts');
      const hook = { on, command: [await findProgram(program, process.cwd(), shell.environment), ...args] };
      for (const text of hookText(hook)) await (json ? shell.err : shell.out).line(text);
      if (!yes && !(await isAgreed(shell, 'Run this, also while you are away, when there is news?')))
        return EXIT.failed;
      await saveHook(dataFolder, hook);
      await print(invocation, hook, 'Saved. broadsheet hook test runs it now.');
      return EXIT.well;
    },
  }),
  'hook show': ownCommand({
    about: 'show what is run, for what, and how it last ended',
    run: async (_given, invocation) => {
      const { readHook, readLastRun } = await import('../../core/hook.ts');
      const hook = await readHook(invocation.dataFolder);
      if (!hook) await invocation.shell.err.line('No hook is set.');
      const last = hook && (await readLastRun(invocation.dataFolder));
      await print(invocation, hook && { ...hook, last }, hook ? [...hookText(hook), ...lastText(last)] : []);
      return EXIT.well;
    },
  }),
  'hook test': ownCommand({
    about: 'run it now, for news that is made up',
    args: { event: optional(choice('for what (default: the first that it is for)', HOOK_EVENTS)) },
    run: async ({ event }, invocation) => testHook(invocation, event),
  }),
  'hook remove': ownCommand({
    about: 'run nothing any more; the program stays',
    run: async (_given, invocation) => {
      const { removeHook } = await import('../../core/hook.ts');
      const removed = await removeHook(invocation.dataFolder);
      await print(invocation, { removed }, removed ? 'Hook removed.' : 'No hook is set.');
      return EXIT.well;
    },
  }),
};

async function testHook(invocation: Invocation, wanted: HookEvent | undefined): Promise<ExitCode> {
  const { dataFolder: folder, shell } = invocation;
  const [{ readHook, runHook }, { systemClock }, { onShutdownSignal }] = await Promise.all([
    import('../../core/hook.ts'),
    import('../../core/system-clock.ts'),
    import('../shutdown-signals.ts'),
  ]);
  const hook = await readHook(folder);
  if (!hook) throw new MachineError('No hook is set: see broadsheet hook set --help.');
  const stop = new AbortController();
  onShutdownSignal(() => stop.abort(), { watchStdin: false });
  const { environment } = shell;
  const variables = madeUp(wanted ?? hook.on[0] ?? 'daily');
  const run = await runHook(hook, variables, { folder, environment, clock: systemClock }, stop.signal);
  const result = fact('Result', run.ok ? run.outcome : red(run.outcome));
  await print(invocation, run, run.output === '' ? [result] : [severalLines(run.output.trimEnd()), result]);
  return run.ok ? EXIT.well : EXIT.failed;
}

function madeUp(event: HookEvent): Variables {
  const [id, url] = SAMPLES[event];
  return {
    BROADSHEET_EVENT: event,
    BROADSHEET_TITLE: 'A test of your hook',
    BROADSHEET_NAME: event === 'search' ? 'Test' : '',
    BROADSHEET_ID: id,
    BROADSHEET_URL: url,
    BROADSHEET_COUNT: '1',
  };
}

function hookText({ on, command: [program = '', ...args] }: Hook): Text[] {
  return [fact('For', on.join(', ')), fact('Program', program), ...args.map((word) => fact('Argument', word))];
}

function lastText(last: LastRun | null): Text[] {
  if (!last) return [fact('Last run', 'none yet')];
  const { at, event, ok, outcome } = last;
  return [fact('Last run', `${localTime(at)}, ${event}: ${outcome}`)].map((text) => (ok ? text : red(text.toString())));
}

function parseWord(word: string): string {
  if (word.length <= LONGEST_WORD && !HIDDEN.test(word)) return word;
  throw new InvalidArgumentError(`It must have at most ${String(LONGEST_WORD)} characters, all of them visible.`);
}

function parseEvents(text: string): HookEvent[] {
  const words = text.split(',').map((word) => word.trim());
  const events = HOOK_EVENTS.filter((event) => words.includes(event));
  if (events.length > 0 && words.every((word) => HOOK_EVENTS.some((event) => event === word))) return events;
  throw new InvalidArgumentError(`It must be a list of ${HOOK_EVENTS.join(', ')}, with commas between them.`);
}
