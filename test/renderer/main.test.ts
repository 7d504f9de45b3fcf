import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Wire } from '../../src-main/contract/wire.ts';

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  // A core that has not answered yet, and fonts that are still on their way.
  const silent = new Promise<never>(() => undefined);
  const wire: Wire = { call: () => silent, on: () => () => undefined };
  vi.stubGlobal('broadsheet', wire);
  Object.defineProperty(document, 'fonts', { value: { load: () => silent }, configurable: true });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'fonts');
});

// In a bundle, the parts that are loaded later import the first one, which is this module with all that it imports.
it(
  'the page has run before anything is answered, so that parts of it can be loaded meanwhile',
  {
    timeout: 30_000,
  },
  async () => {
    await import('../../src-renderer/main.ts');
    expect(vi.getTimerCount()).toBeGreaterThan(0);
  },
);
