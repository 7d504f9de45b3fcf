// Run by scripts/soak.mjs, which describes it: soak.ts MINUTES SPEED.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DEMO_KEY } from '../../src-main/contract/model/model.ts';
import { start } from '../bench/child.ts';
import { percentile, table } from '../bench/table.ts';
import { launchChromium } from '../e2e/support/chromium.ts';
import { openPage, type OpenPage } from '../e2e/support/open-page.ts';
import { startTestServer, writeSettings } from '../support/test-server.ts';
import { soakChart } from './chart.ts';
import { judge, type Sample, type ThreadSample } from './judge.ts';
import { readOnce, usedBy } from './reader.ts';

const MINUTE = 60_000;
/** In ms: until then the page is open, at the usual speed. */
const OPENING = 20_000;

const [minutes = 0, speed = 0] = process.argv.slice(2).map(Number);
const isWhole = minutes === 20 && speed === 1000;

const folder = await mkdtemp(join(tmpdir(), 'broadsheet-soak-'));
const samplesFile = join(folder, 'threads.jsonl');
const dataFolder = join(folder, 'data');
const begun = Date.now() + OPENING;
writeFileSync(samplesFile, '');

const fastTime = {
  NODE_OPTIONS: `--import ${new URL('./fast-time.mjs', import.meta.url).href}`,
  BROADSHEET_SOAK_START: String(begun),
  BROADSHEET_SOAK_SPEED: String(speed),
};
await mkdir(dataFolder);
await writeSettings(dataFolder, {});
const service = start('../soak/service.ts', [], { env: { ...process.env, ...fastTime } });
const address = String(await service.message());
const server = await startTestServer({
  dataFolder,
  environment: {
    ...fastTime,
    BROADSHEET_SOAK_SAMPLES: samplesFile,
    BROADSHEET_NEWS_URL: address,
    BROADSHEET_MODELS_URL: address,
    BROADSHEET_MODELS_KEY: DEMO_KEY,
  },
});
const browser = await launchChromium();
const samples: Sample[] = [];
let complaints: string[];
let rounds = 0;
try {
  const opened = await openPage(browser, server.address, {}, (page) =>
    page.addInitScript(fastPage, { start: begun, speed }),
  );
  complaints = opened.complaints;
  if (Date.now() > begun) throw new Error('The page took too long to open.');
  await wait(begun - Date.now());
  while (Date.now() - begun < minutes * MINUTE) {
    const until = Date.now() + MINUTE / 2;
    const calls: number[] = [];
    while (Date.now() < until) {
      calls.push(...(await readOnce(opened)));
      rounds += 1;
    }
    samples.push(await sampled(opened, calls));
    const { at, rss, pageHeap } = samples.at(-1)!;
    process.stderr.write(`${(at / MINUTE).toFixed(1)} min: ${megabytes(rss)} MB, page ${megabytes(pageHeap)} MB\n`);
  }
  await opened.close();
} finally {
  await browser.close();
  await server.close();
  await service.end();
}
const stderr = server.stderr().trim();
const findings = judge(samples);
await rm(folder, { recursive: true, force: true });
const bad = findings.filter(({ met }) => !met);
const text = report();
if (isWhole) {
  writeFileSync(new URL('../../docs/soak.md', import.meta.url), text);
  writeFileSync(new URL('../../docs/soak.svg', import.meta.url), soakChart(samples));
}
process.stdout.write(text);
if (stderr !== '') process.stderr.write(`${stderr}\n`);
// The browser that the suites share would keep the process alive.
process.exit(bad.length > 0 || complaints.length > 0 ? 1 : 0);

/** Runs in the page, before its own scripts. Its timers keep their pace. */
function fastPage(time: { start: number; speed: number }): void {
  const RealDate = Date;
  const now = (): number => {
    const since = RealDate.now() - time.start;
    return since <= 0 ? RealDate.now() : Math.floor(time.start + since * time.speed);
  };
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[], self: () => void) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, self) as object,
    get: (target, name, self): unknown => (name === 'now' ? now : Reflect.get(target, name, self)),
  });
}

async function sampled(opened: OpenPage, calls: readonly number[]): Promise<Sample> {
  const page = await usedBy(opened);
  const { all } = await opened.call('counts.get', {});
  const lines = readFileSync(samplesFile, 'utf8').trim().split('\n').filter(Boolean);
  writeFileSync(samplesFile, '');
  const threads = lines.map((line) => JSON.parse(line) as ThreadSample);
  const main = threads.filter(({ thread }) => thread === 'main');
  return {
    at: Date.now() - begun,
    rss: Math.max(...main.map(({ rss }) => rss ?? 0)),
    handles: Math.max(...main.map(({ handles }) => handles ?? 0)),
    delay: Math.max(...main.map(({ delayP99 }) => delayP99)),
    call: percentile(calls, 0.95),
    pageHeap: page.heap,
    pageNodes: page.nodes,
    pageListeners: page.listeners,
    items: all.total,
    ...(await bytesOf(dataFolder)),
  };
}

/** Bytes of the databases, of their write-ahead logs and of the log files. */
async function bytesOf(path: string): Promise<{ databases: number; walBytes: number; logBytes: number }> {
  const bytes = { databases: 0, walBytes: 0, logBytes: 0 };
  for (const name of await readdir(path, { recursive: true })) {
    const size = await stat(join(path, name)).then(
      (file) => (file.isFile() ? file.size : 0),
      () => 0,
    );
    if (name.endsWith('-wal')) bytes.walBytes += size;
    else if (name.endsWith('.db')) bytes.databases += size;
    else if (name.includes('.log')) bytes.logBytes += size;
  }
  return bytes;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function report(): string {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const days = ((last.at * speed) / 86_400_000).toFixed(1);
  const machine = `${String(cpus().length)} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.versions.node}, Chromium ${browser.version()}`;
  return `# ${String(minutes)} minutes at ${String(speed)} times the speed

The whole app as \`broadsheet serve\` runs it, with its page in Chromium, on the demo service in a process of its own, for ${days} days of its own
time. A reader at the keyboard went through all views ${String(rounds)} times meanwhile: reading, starring, searching,
marking everything as read and taking it back. \`npm run soak\` writes this page again.

${new Date(begun).toISOString().slice(0, 10)}, ${machine}

![Memory of the app and of its page](soak.svg)

Each figure is the median of a fifth of the run; the first fifth, in which the app fills its caches, is left out.

${table(
  ['What', 'second fifth', 'last fifth', 'limit', ''],
  findings.map(({ what, from, to, limit, met }) => [what, from, to, limit, met ? 'met' : '**missed**']),
)}

- Items at the start and at the end: ${first.items.toLocaleString('en')}, ${last.items.toLocaleString('en')}.
- Complaints of the page (console errors, uncaught exceptions, blocked content): ${String(complaints.length)}.
`;
}
