import type { ResourceLimits } from 'node:worker_threads';

/**
 * For threads that handle large pages of text: a small young generation, and an old one that V8 collects before it has
 * grown to several times of what is in use. With the defaults, each thread holds over 100 MB of garbage during a load, and
 * is no faster. A thread that needs more than this ends, and is started again.
 */
export const THREAD_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };
