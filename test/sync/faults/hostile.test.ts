import fc from 'fast-check';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noteFigures } from '../../support/figures.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { answerOf, ask } from '../../support/hostile/answers.ts';
import { BOMBS } from '../../support/hostile/bombs.ts';
import type { Round } from '../../support/hostile/hostile-app.ts';
import type { Command, KINDS } from '../../support/hostile/hostile-service.ts';
import { wrongAnswers, type Wrong } from '../../support/hostile/wrong-answers.ts';
import { openOnce, type AtEnd } from '../../support/open-once.ts';
import { casesOf, isWhole } from '../../support/proofs.ts';
import { expectHeld } from '../../support/properties.ts';
import { isTimed } from '../../support/timed.ts';

const ANSWERS = isWhole ? 10_000 : 15;
/** Syncs without any changed answer: then the rest would never come. */
const PATIENCE = 20;

/** Limits of the proof, in ms and MB. `npm test` measures no times: its computer may be busy. */
const LONGEST_STEP = 1000;
const LONGEST_REPLY = 300;
const MOST_MEMORY = 600;
/** Items that hostile-app.ts stars after its first sync. */
const STARRED = 20;
/** In UTF-16 units: the longest reply for the page. */
const LARGEST_REPLY = 8 * 1024 * 1024;

async function started(file: string, args: string[], atEnd: AtEnd): Promise<{ child: ChildProcess; first: unknown }> {
  const path = fileURLToPath(new URL(`../../support/hostile/${file}`, import.meta.url));
  const child = fork(path, args, { execArgv: [] });
  atEnd(async () => {
    const ended = child.exitCode === null && once(child, 'exit');
    if (child.connected) child.disconnect();
    await ended;
  });
  return { child, first: await answerOf(child) };
}

/** An app that has synced with a service, and the service, both in processes of their own. */
async function openScene(atEnd: AtEnd = onTestFinished) {
  const service = await started('hostile-service.ts', [], atEnd);
  const app = await started('hostile-app.ts', [temporaryFolder(atEnd), service.first as string], atEnd);
  const sync = () => ask<Round>(app.child, {});
  const command = (given: Command) => ask<number>(service.child, given);
  const kinds = () => ask<Record<string, number>>(service.child, 'kinds' satisfies typeof KINDS);
  const first = await sync();
  expect({ errors: first.errors, starred: first.starred }).toEqual({ errors: [], starred: STARRED });
  return { sync, command, kinds };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** The proofs measure each kind of answer in an app of its own. */
const standing = openOnce(openScene);

const worst = { step: 0, memory: 0, answers: 0, rounds: 0 };

/** Expects the limits of each sync. */
function expectFine(name: string, { codes, engine, page, slowest, reply, memory, errors }: Round): void {
  expect({ name, errors }).toEqual({ name, errors: [] });
  expect(codes).not.toContain('internal');
  expect(reply).toBeLessThan(LARGEST_REPLY);
  worst.step = Math.max(worst.step, engine);
  worst.memory = Math.max(worst.memory, memory);
  worst.rounds += 1;
  if (!isTimed) return;
  expect({ name, engine }).toSatisfy(() => engine <= LONGEST_STEP);
  expect({ name, slowest, page }).toSatisfy(() => page <= LONGEST_REPLY);
  expect({ name, memory }).toSatisfy(() => memory <= MOST_MEMORY);
}

/** The names of the ways in docs/faults.md. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  values: 'values of other types and sizes',
  text: 'broken JSON',
  nonsense: 'well-formed nonsense',
  another: 'the answer of another address',
  status: 'status codes',
  header: 'headers',
  encoding: 'encodings',
  redirect: 'redirects',
  ending: 'broken connections',
};

function report(what: string, kinds: Readonly<Record<string, number>> = {}): void {
  const { step, memory, answers, rounds } = worst;
  noteFigures({
    what,
    amount: answers,
    counts: {
      ...Object.fromEntries(Object.entries(kinds).map(([kind, count]) => [KIND_WORDS[kind] ?? kind, count])),
      syncs: rounds,
      'longest step of the engine': `${step.toFixed(0)} ms`,
      'peak memory': `${memory.toFixed(0)} MB`,
    },
  });
}

/** Spoils the answers of one sync, then looks at the app. */
async function expectSurvived({ sync, command }: Scene, wrong: Wrong[]): Promise<number> {
  await command({ kind: 'spoil', wrong });
  const round = await sync();
  expectFine('spoiled', round);
  expect({ starred: round.starred }).toEqual({ starred: STARRED });
  return command({ kind: 'mend' });
}

describe('hostile answers', () => {
  it(`of ${ANSWERS} forms stop nothing`, async () => {
    let scene = standing();
    let [changed, idle] = [0, 0];
    const plans = fc.array(wrongAnswers(), { minLength: 1, maxLength: 40 });
    await expectHeld(plans, ANSWERS, async (wrong, alone) => {
      if (!alone && changed >= ANSWERS) return;
      if (alone) scene = await openScene();
      const now = await expectSurvived(scene, wrong);
      if (alone) return;
      idle = now === changed ? idle + 1 : 0;
      expect(idle).toBeLessThan(PATIENCE);
      changed = now;
    });
    expect(changed).toBeGreaterThanOrEqual(ANSWERS);
    worst.answers = changed;
    const kinds = await scene.kinds();
    // All ways were tried.
    if (isWhole) expect(Object.keys(kinds).toSorted()).toEqual(Object.keys(KIND_WORDS).toSorted());
    report('wrong answers', kinds);
    const { result } = await scene.sync();
    for (const name of ['items', 'hotTopics'] as const) expect(result?.resources[name].status).not.toBe('failed');
  });

  it('as large as they can be stop nothing', async () => {
    Object.assign(worst, { step: 0, memory: 0, answers: 0, rounds: 0 });
    const { sync, command } = isWhole ? await openScene() : standing();
    const names = casesOf(Object.keys(BOMBS), [2]);
    for (const name of names) {
      await command({ kind: 'bomb', name });
      expectFine(name, await sync());
    }
    worst.answers = await command({ kind: 'mend' });
    expect(worst.answers).toBeGreaterThan(0);
    report('answers as large as the limits allow');
  });
});
