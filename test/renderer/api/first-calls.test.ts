import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connect } from '../../../src-renderer/api/connect.ts';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';

const SCRIPT = '../../../src-renderer/public/first-calls.js';

let sent: { path: string; init: RequestInit }[];

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
  sent = [];
  const never = new Promise<Response>(() => undefined);
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    sent.push({ path, init });
    return never;
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  delete window.broadsheet;
  delete window.broadsheetFirst;
});

it('the page opens the events and then asks for what it starts with, with its key, before its code has run', async () => {
  localStorage.setItem('broadsheet.key', 'the-key');
  await import(/* @vite-ignore */ SCRIPT);
  expect(sent[0]?.path).toBe('/events');
  for (const { init } of sent) expect(init.headers).toMatchObject({ authorization: 'Bearer the-key' });
  const before = sent.map(({ path }) => path).sort();
  // The same as without: nothing is asked for in vain, or twice.
  const code = new AppState(connect());
  void code.load();
  expect(sent.map(({ path }) => path).sort()).toEqual(before);
  delete window.broadsheetFirst;
  sent = [];
  void new AppState(connect()).load();
  expect(sent.map(({ path }) => path).sort()).toEqual(before);
});

it('the desktop asks through its own wire', async () => {
  window.broadsheet = { call: () => new Promise(() => undefined), on: () => () => undefined };
  await import(/* @vite-ignore */ SCRIPT);
  expect(sent).toEqual([]);
  expect(window.broadsheetFirst).toBeUndefined();
});
