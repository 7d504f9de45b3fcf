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
it('the page has run before anything is answered, so that parts of it can be loaded meanwhile', async () => {
  await import('../../src-renderer/main.ts');
  expect(vi.getTimerCount()).toBeGreaterThan(0);
});

it('reports to the desktop that it has drawn, even if a hidden window draws no frames', async () => {
  const called: string[] = [];
  const call: Wire['call'] = async (method) => {
    called.push(method);
    return { ok: false, error: { code: 'closed', message: '', retryable: true } };
  };
  vi.stubGlobal('broadsheet', { call, on: () => () => undefined } satisfies Wire);
  vi.stubGlobal('requestAnimationFrame', () => 0);
  await import('../../src-renderer/main.ts');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(called).toContain('app.painted');
});
