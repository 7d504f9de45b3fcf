import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { ResourceStatus, SyncProgress } from '../../../../src-main/contract/model/sync-status.ts';
import { SyncIndicator } from '../../../../src-renderer/features/sync-status/index.ts';
import type { Connection } from '../../../../src-renderer/ui/page-context.ts';
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

const show = (sync: typeof IDLE, troubled = false): unknown => {
  const given = { sync, troubled, ondetails: () => undefined };
  return render(InContext, {
    shown: SyncIndicator,
    given,
    page: { clock: { now: NOW }, connection: { address: null } as Connection },
  });
};
const line = (): HTMLElement => screen.getByRole('button', { name: /^Sync:/ });
async function openPanel(): Promise<HTMLElement> {
  await fireEvent.click(line());
  return screen.getByRole('group', { name: 'Sync' });
}

afterEach(cleanup);

it.each([
  { state: 'idle', props: IDLE, text: 'Synced 1h ago', rest: [] },
  { state: 'running', props: { ...IDLE, running: true }, text: 'Syncing…', rest: ['Synced 1h ago'] },
  {
    state: 'failed',
    props: { ...IDLE, failure: FAILURE },
    text: /^Can’t sync since \d/,
    rest: ['Synced 1h ago', 'unreachable'],
  },
  {
    state: 'failed from the start',
    props: { ...NEVER, failure: FAILURE },
    text: 'Last sync failed',
    rest: ['Not synced yet', 'unreachable'],
  },
  {
    state: 'unreachable',
    props: { ...IDLE, offline: true, failure: FAILURE, pause: PAUSE },
    text: /^Can’t sync since \d/,
    rest: ['Paused until', 'Synced 1h ago'],
  },
  {
    state: 'waiting for the rest of a list',
    props: { ...IDLE, confirming: [SMALLER] },
    text: 'Incomplete response',
    rest: ['only 12 of 826 entries', 'Synced 1h ago'],
  },
  { state: 'paused', props: { ...IDLE, pause: { until: null } }, text: 'Paused', rest: ['Synced 1h ago'] },
  {
    state: 'without its host',
    props: { ...IDLE, hostLost: true, offline: true, failure: FAILURE, pause: PAUSE },
    text: 'Not connected',
    rest: ['Synced 1h ago'],
  },
  {
    state: 'at the first download',
    props: {
      ...NEVER,
      running: true,
      firstCopy: true,
      selected: { progress: { stored: 200, expected: 4689, pages: 2 } },
    },
    text: 'Syncing…',
    rest: ['200 of 4,689'],
  },
])('the state is one line, and the rest is in its panel: $state', async ({ state, props, text, rest }) => {
  show(props);
  const shown = line().querySelector('.cut')!;
  expect(shown.textContent).toMatch(text);
  expect(shown.getAttribute('title')).toBe(shown.textContent);
  const panel = await openPanel();
  expect(panel.textContent).toContain(state === 'idle' ? 'Synced Aug 5, 2026' : shown.textContent);
  for (const part of rest) expect(panel.textContent).toContain(part);
  const buttons = within(panel).getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).toEqual([
    'Refresh now',
    props.pause ? 'Resume updates' : 'Pause updates',
    'Details',
  ]);
  expect(document.activeElement).toBe(buttons[0]);
});

it('an incomplete response is no good state', () => {
  show({ ...IDLE, confirming: [SMALLER] });
  expect(line().querySelector('.lamp')?.classList.contains('failed')).toBe(true);
});

it('says that Broadsheet had a problem, which the details explain', async () => {
  show(IDLE, true);
  expect(line().querySelector('.lamp')?.classList.contains('failed')).toBe(true);
  expect(line().textContent).toContain('Sync status: something went wrong');
  const panel = await openPanel();
  expect(within(panel).queryAllByRole('button', { name: 'Sync status: something went wrong' })).toHaveLength(1);
});
