// Preloaded into a process whose peak memory is measured: writes it, in MB, to the file that BENCH_MEMORY names.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['BENCH_MEMORY'];
if (isMainThread && file !== undefined) {
  process.on('exit', () => {
    writeFileSync(file, String(process.resourceUsage().maxRSS / 1024));
  });
}
