// Preloaded into every thread of the app that is soaked, and of its service. Their time runs BROADSHEET_SOAK_SPEED times
// as fast from BROADSHEET_SOAK_START on (ms since 1970; a browser needs some seconds to be let in before). Each thread writes
// what it uses to BROADSHEET_SOAK_SAMPLES, where that is set.
import { appendFileSync, readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { isMainThread, threadId } from 'node:worker_threads';

const start = Number(process.env.BROADSHEET_SOAK_START);
const speed = Number(process.env.BROADSHEET_SOAK_SPEED);
const samples = process.env.BROADSHEET_SOAK_SAMPLES ?? '';
/** In real ms. No timer becomes shorter: answers take as long as ever, and would all be late. */
const SHORTEST = 100;
const SAMPLE_MS = 10_000;

const RealDate = Date;
const realTimeout = globalThis.setTimeout;
const realInterval = globalThis.setInterval;

const fastNow = () => {
  const since = RealDate.now() - start;
  return since <= 0 ? RealDate.now() : Math.floor(start + since * speed);
};

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [fastNow()] : args, self),
  apply: (target) => new target(fastNow()).toString(),
  get: (target, name, self) => (name === 'now' ? fastNow : Reflect.get(target, name, self)),
});

/** @param {number | undefined} ms */
function shortened(ms = 0) {
  const before = Math.max(0, start - RealDate.now());
  return ms <= Math.max(before, SHORTEST) ? ms : before + Math.max(SHORTEST, (ms - before) / speed);
}

globalThis.setTimeout = Object.assign(
  (/** @type {() => void} */ callback, /** @type {number | undefined} */ ms, /** @type {[]} */ ...args) =>
    realTimeout(callback, shortened(ms), ...args),
  realTimeout,
);
globalThis.setInterval = Object.assign(
  (/** @type {() => void} */ callback, /** @type {number | undefined} */ ms, /** @type {[]} */ ...args) =>
    realInterval(callback, shortened(ms), ...args),
  realInterval,
);

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
function sample() {
  const { heapUsed, rss } = process.memoryUsage();
  const line = {
    at: RealDate.now(),
    thread: isMainThread ? 'main' : String(threadId),
    heap: heapUsed,
    // One value for the whole process.
    rss: isMainThread ? rss : null,
    handles: isMainThread ? handles() : null,
    delayP99: delay.percentile(99) / 1e6,
    delayMax: delay.max / 1e6,
  };
  delay.reset();
  appendFileSync(samples, `${JSON.stringify(line)}\n`);
}

if (samples) realInterval(sample, SAMPLE_MS).unref();

/** Open files, sockets and pipes; null where the system doesn't list them. */
function handles() {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}
