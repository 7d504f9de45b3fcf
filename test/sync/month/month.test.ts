import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { REPORT_KINDS, type ReportKind } from '../../../src-main/contract/model/report.ts';
import { DEMO_KEY } from '../../../src-main/contract/model/model.ts';
import { RESOURCES, type ResourceName } from '../../../src-main/contract/model/resource.ts';
import type { Clock } from '../../../src-main/contract/ports.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { nextPublication } from '../../../src-main/common/publication-timetable.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { drive, settled } from '../../support/driving.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';
import { Observed, brokenFloors } from '../../support/observed.ts';
import { isWhole } from '../../support/proofs.ts';
import { DAYS, END, SLIPS, START, appearsAt, dateOf, phases, shanghai, type Phase, type Weather } from './days.ts';
import { Waits } from './waits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RESOURCE_OF: Record<ReportKind, ResourceName> = { daily: 'dailies', weekly: 'weeklies', monthly: 'monthlies' };

/** The longest that a resource may go without an answer that could be had: its interval with jitter, and a minute to wake. */
const STARVED: Record<ResourceName, number> = {
  items: 5.5 * MINUTE + MINUTE,
  selected: 5.5 * MINUTE + MINUTE,
  hotTopics: 16.5 * MINUTE + MINUTE,
  stories: 33 * MINUTE + MINUTE,
  dailies: 8.8 * HOUR + MINUTE,
  weeklies: 26.4 * HOUR + MINUTE,
  monthlies: 26.4 * HOUR + MINUTE,
  models: 1.1 * HOUR + MINUTE,
  embeddings: 1.1 * HOUR + MINUTE,
};
/** One for the news, one for the gateway. */
const SCHEDULERS = 2;
/** After failures there comes on top what is left of the longest backoff, with jitter. */
const BACKED_OFF = 34 * MINUTE;

interface Quiet {
  now: number;
  failed: boolean;
  longest: number;
  longestAfterFailure: number;
}

interface Month {
  clock: FakeClock;
  room: TestEngine;
  observed: Observed;
  /** Reports that came out and are not stored yet, as `daily 2026-03-18`. */
  waits: Waits;
  /** Time in which each resource had no answer though it could have had one. */
  quiet: Record<ResourceName, Quiet>;
}

/** The service with failures and late reports. For a late report its clock is set back. */
async function startService(clock: FakeClock, observed: Observed, weather: () => Weather): Promise<DemoService> {
  let asOf: number | null = null;
  const serviceClock: Clock = { now: () => asOf ?? clock.now(), after: clock.after.bind(clock) };
  const service = await startDemoService({
    clock: serviceClock,
    // The long form begins with the two months that a new reader downloads.
    ...(!isWhole && { since: START - 3 * 24 * HOUR }),
    intercept: (request, response) => {
      if (weather() === 'offline') return Boolean(request.socket.destroy());
      observed.watch(request, response);
      if (weather() === 'refusing') return refuse(response);
      const now = clock.now();
      const slip = SLIPS.find(({ path, from, until }) => path.test(request.url ?? '') && from <= now && now < until);
      asOf = slip ? slip.from - 1 : null;
      return false;
    },
  });
  onTestFinished(() => service.close());
  return service;
}

function refuse(response: ServerResponse): true {
  response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '120' });
  response.end(JSON.stringify({ status: 503, code: 'temporarily_unavailable', title: 'Temporarily unavailable' }));
  return true;
}

async function live(month: Month, phase: Phase, to: (weather: Weather) => void): Promise<void> {
  const { clock, room } = month;
  if (!phase.awake) {
    passBy(month, clock.now(), phase.until);
    clock.leap(phase.until - clock.now());
    return;
  }
  to(phase.weather);
  // One refusal pauses the whole service, and each resource continues at its own time after that.
  if (phase.weather === 'refusing') for (const name of RESOURCES) month.quiet[name].failed = true;
  await room.call('sync.attend', { to: phase.attended ? 'hotTopics' : null });
  let before = clock.now();
  const onStep = (): void => {
    passBy(month, before, clock.now());
    if (phase.weather === 'online') couldAsk(month, clock.now() - before);
    before = clock.now();
    takeStock(month);
  };
  await drive(clock, phase.until - before, onStep, SCHEDULERS);
}

/** Reports are published whether or not the app runs. */
function passBy({ waits }: Month, from: number, until: number): void {
  for (const kind of REPORT_KINDS) {
    for (let next = nextPublication(kind, from - 12 * HOUR); ; next = nextPublication(kind, next.at)) {
      const at = appearsAt(RESOURCE_OF[kind], next.at);
      if (next.at > until) break;
      if (at > from && at <= until) waits.begin(`${kind} ${next.label}`);
    }
  }
}

function couldAsk({ waits, quiet }: Month, ms: number): void {
  waits.pass(ms);
  for (const name of RESOURCES) {
    const each = quiet[name];
    each.now += ms;
    const which = each.failed ? 'longestAfterFailure' : 'longest';
    each[which] = Math.max(each[which], each.now);
  }
}

function takeStock({ waits, room, quiet, clock }: Month): void {
  for (const what of waits.missing) {
    const [kind = '', label = ''] = what.split(' ');
    const stored = room.queries.reports.facts(kind as ReportKind, label)?.stored;
    if (stored) waits.end(what);
  }
  for (const name of RESOURCES) {
    const state = room.engine.store.queries.schedule.state(name);
    if (state && state.failures > 0) quiet[name].failed = true;
    else if (state?.answeredAt === clock.now()) Object.assign(quiet[name], { now: 0, failed: false });
  }
}

function daysWithMoreLooksThan(most: number, { requests }: Observed): string[] {
  const looks = requests.filter(({ path, status }) => path === '/api/v1/dailies' && (status === 200 || status === 304));
  const byDay = Map.groupBy(looks, ({ at }) => dateOf(at));
  return [...byDay].filter(([, all]) => all.length > most).map(([day]) => day);
}

it(`${DAYS} days with sleep, bad networks, refusals and late reports`, async () => {
  const clock = fakeClock(START);
  const observed = new Observed(clock);
  let weather: Weather = 'online';
  const service = await startService(clock, observed, () => weather);
  const source = { address: service.modelsAddress, demo: true, from: 'demo' } as const;
  const gateway = { source, key: DEMO_KEY, keyEnding: null };
  const room = openTestEngine({ address: service.newsAddress, gateway, clock });
  const quiet = Object.fromEntries(
    RESOURCES.map((name) => [name, { now: 0, failed: false, longest: 0, longestAfterFailure: 0 }]),
  ) as Month['quiet'];
  const month: Month = { clock, room, observed, waits: new Waits(), quiet };
  await room.engine.start();
  await settled(clock, SCHEDULERS);
  for (const phase of phases()) await live(month, phase, (now) => (weather = now));
  expect(clock.now()).toBe(END);

  expect(brokenFloors(observed.requests)).toEqual([]);
  expect(observed.breaches).toEqual([]);
  expect(month.waits.missing).toEqual([]);
  const late = (kind: ReportKind, most: number) =>
    month.waits.all.filter(([what, ms]) => what.startsWith(kind) && ms > most);
  expect(late('daily', 5 * MINUTE)).toEqual([]);
  // Half an hour after the hour, only every half hour is left.
  expect(late('weekly', 35 * MINUTE)).toEqual([]);
  expect(late('monthly', 5 * MINUTE)).toEqual([]);
  expect(RESOURCES.filter((name) => quiet[name].longest > STARVED[name])).toEqual([]);
  expect(RESOURCES.filter((name) => quiet[name].longestAfterFailure > STARVED[name] + BACKED_OFF)).toEqual([]);
  expect(month.waits.all.filter(([what]) => what.startsWith('daily'))).toHaveLength(DAYS);
  // More often is wasted work (document 1 section 4.4), save on a day on which the daily is late.
  expect(
    daysWithMoreLooksThan(6, observed).filter(
      (day) => day !== dateOf(shanghai(9, '12:00')) && day !== dateOf(shanghai(18, '12:00')),
    ),
  ).toEqual([]);
});
