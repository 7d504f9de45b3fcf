import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { ResourceStatus, SyncProgress } from '../../../../src-main/contract/model/sync-status.ts';
import { SyncIndicator } from '../../../../src-renderer/features/sync-status/index.ts';
import InContext from '../../support/InContext.svelte';

const FAILURE: Failure = { code: 'unreachable', message: 'Cannot reach it.', retryable: true };

const LAST = '2026-08-05T11:00:00Z';
const NOW = Date.parse('2026-08-05T12:00:00Z');
const IDLE = {
  status: { lastSuccessAt: LAST as string | null },
  selected: null as { progress: SyncProgress } | null,
  hostLost: false,
  engineStopped: false,
  offline: false,
  running: false,
  firstCopy: false,
  failure: null as Failure | null,
  failedModelLists: [],
  confirming: [] as ResourceStatus[],
  pause: null as { until: string | null } | null,
};
const SMALLER: ResourceStatus = {
  name: 'selected',
  running: false,
  progress: null,
  lastTryAt: LAST,
  lastSuccessAt: LAST,
  nextDueAt: null,
  failures: 0,
  error: null,
  confirming: { since: LAST, stored: 826, received: 12, acceptable: true },
  rows: 826,
};
const NEVER = { ...IDLE, status: { lastSuccessAt: null } };
const PAUSE = { until: '2026-08-05T13:00:00Z' };

const show = (sync: typeof IDLE): unknown =>
  render(InContext, { shown: SyncIndicator, given: { sync }, page: { clock: { now: NOW } } });
const line = (): HTMLElement => screen.getByRole('region', { name: 'Sync' });
const texts = (): HTMLElement[] => [...line().querySelector('.text')!.children].map((one) => one as HTMLElement);
const shown = (): (string | null)[] => texts().map((one) => one.textContent.trim());

afterEach(cleanup);

it.each([
  { state: 'idle', props: IDLE, lines: ['Synced 1h ago'] },
  { state: 'never synced', props: NEVER, lines: ['Not synced yet'] },
  { state: 'running', props: { ...IDLE, running: true }, lines: ['Syncing…', 'Synced 1h ago'] },
  { state: 'failed', props: { ...IDLE, failure: FAILURE }, lines: ['Synced 1h ago', 'Last sync failed'] },
  {
    state: 'running after a failure',
    props: { ...IDLE, running: true, failure: FAILURE },
    lines: ['Syncing…', 'Last sync failed'],
  },
  {
    state: 'offline',
    props: { ...IDLE, offline: true, failure: FAILURE, pause: PAUSE },
    lines: ['Offline', 'Last sync failed'],
  },
  {
    state: 'waiting for the rest of a list',
    props: { ...IDLE, confirming: [SMALLER] },
    lines: ['Synced 1h ago', 'Incomplete response'],
  },
  { state: 'paused', props: { ...IDLE, pause: { until: null } }, lines: ['Paused', 'Synced 1h ago'] },
  {
    state: 'without its host',
    props: { ...IDLE, hostLost: true, offline: true, failure: FAILURE, pause: PAUSE },
    lines: ['Not connected', 'Synced 1h ago'],
  },
  {
    state: 'at the first download',
    props: {
      ...NEVER,
      running: true,
      firstCopy: true,
      selected: { progress: { stored: 200, expected: 4689, pages: 2 } },
    },
    lines: ['Syncing…', '200 of 4,689'],
  },
])('the sync line is two lines at most, each with its whole text as title: $state', ({ props, lines }) => {
  show(props);
  expect(shown()).toEqual(lines);
  for (const text of texts()) {
    const titled = text.title === '' ? text.querySelector('[title]') : text;
    expect(titled?.getAttribute('title')).toContain(text.textContent.trim());
  }
  // Nothing else has a height, whatever the state.
  const visible = [...line().children].filter((one) => !(one as HTMLElement).hidden);
  expect(visible.map((one) => one.classList.contains('line'))).toEqual([true]);
});

it('a failed sync names its cause on request', async () => {
  show({ ...IDLE, failure: FAILURE });
  const button = within(line()).getByRole('button', { name: 'Last sync failed' });
  const problem = document.getElementById(button.getAttribute('aria-controls')!)!;
  expect([button.getAttribute('aria-expanded'), problem.hidden]).toEqual(['false', true]);
  await fireEvent.click(button);
  expect([button.getAttribute('aria-expanded'), problem.hidden]).toEqual(['true', false]);
  expect(problem.textContent).toContain('unreachable');
});

it('an incomplete response is no good state, and is explained on request', async () => {
  show({ ...IDLE, confirming: [SMALLER] });
  expect(line().querySelector('.lamp')?.classList.contains('failed')).toBe(true);
  const button = within(line()).getByRole('button', { name: 'Incomplete response' });
  const problem = document.getElementById(button.getAttribute('aria-controls')!)!;
  await fireEvent.click(button);
  expect(problem.hidden).toBe(false);
  expect(problem.textContent).toContain('only 12 of the 826 saved entries');
});
