import type { ResourceLimits } from 'node:worker_threads';

/**
 * For threads that handle large pages of text: a small young generation. With the default, each thread holds over 100 MB
 * of garbage during a load, and is no faster.
 */
export const THREAD_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 12 };
