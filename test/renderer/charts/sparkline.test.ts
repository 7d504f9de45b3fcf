import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import InContext from '../support/InContext.svelte';
import Sparkline from '../../../src-renderer/charts/Sparkline.svelte';

const NOW = Date.UTC(2026, 10, 22, 8);
const HOUR = 3_600_000;

function shown(ranks: readonly (number | null)[]): SVGElement | null {
  const points = ranks.map((rank, i) => ({ at: new Date(NOW - (ranks.length - i) * HOUR).toISOString(), rank }));
  const history = { points, firstSeenAt: points[0]!.at, peak: { rank: 1, at: points[0]!.at }, reentries: 0 };
  return render(InContext, {
    shown: Sparkline,
    given: { history },
    page: { clock: { now: NOW } },
  }).container.querySelector('svg');
}

it.each([[[2]], [[2, 1]], [[null, null, 2]], [[3, null, 2]]])('shows no line for the ranks %j', (ranks) => {
  expect(shown(ranks)).toBeNull();
});

it.each([[[3, 2, 1]], [[3, null, 2, 1]]])('shows a line for the ranks %j', (ranks) => {
  expect(shown(ranks)?.querySelectorAll('path').length).toBeGreaterThan(0);
});
