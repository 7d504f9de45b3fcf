// One thread's share of the readers.
import { parentPort, workerData } from 'node:worker_threads';
import { simulate } from './simulate.ts';
import type { ServiceWeek } from './service-week.ts';

const { week, readers, seed } = workerData as { week: ServiceWeek; readers: number; seed: number };
const { perSecond, byAnswer, bytes, requests, waits } = simulate(week, readers, seed);
parentPort?.postMessage({ perSecond, byAnswer, bytes, requests, waits });
