import { describe, expect, it } from 'vitest';
import { Resumption } from '../../../src-main/sync/schedule/service-gates.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20);

describe('polling after a pause of the service', () => {
  it('waits for up to three times the pause', () => {
    expect(new Resumption('items').after(NOW + MINUTE, NOW, () => 0)).toBe(NOW + MINUTE);
    expect(new Resumption('items').after(NOW + MINUTE, NOW, () => 0.5)).toBe(NOW + 2.5 * MINUTE);
  });

  it('waits five minutes at most', () => {
    expect(new Resumption('items').after(NOW + 60 * MINUTE, NOW, () => 1)).toBe(NOW + 65 * MINUTE);
  });

  it('waits two minutes at most for a report, which is wanted within five', () => {
    expect(new Resumption('dailies').after(NOW + 2 * MINUTE, NOW, () => 1)).toBe(NOW + 4 * MINUTE);
  });

  it('draws once for each pause', () => {
    const resumption = new Resumption('items');
    const draws = [0.5, 0, 1];
    const draw = () => draws.shift() ?? NaN;
    expect(resumption.after(NOW + MINUTE, NOW, draw)).toBe(NOW + 2.5 * MINUTE);
    expect(resumption.after(NOW + MINUTE, NOW + 2 * MINUTE, draw)).toBe(NOW + 2.5 * MINUTE);
    expect(resumption.after(NOW + 4 * MINUTE, NOW + 3 * MINUTE, draw)).toBe(NOW + 4 * MINUTE);
  });

  it('does not wait after a pause that was over before it was heard of', () => {
    expect(new Resumption('items').after(NOW - MINUTE, NOW, () => 1)).toBe(NOW - MINUTE);
    expect(new Resumption('items').after(0, NOW, () => 1)).toBe(0);
  });
});
