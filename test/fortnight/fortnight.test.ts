import { describe, expect, it } from 'vitest';
import { isWhole, SEED } from '../support/proofs.ts';
import { liveThrough } from './fortnight.ts';
import { SHORT, WHOLE } from './troubles.ts';

const RHYTHMS = isWhole ? [4, 6, 12] : [12];
const plan = isWhole ? WHOLE : SHORT;

describe(`${plan.days} days beside a strict service`, () => {
  it.each(RHYTHMS)('end without a difference in rounds of %i hours', async (rhythm) => {
    const lived = await liveThrough({ seed: SEED, rhythm, plan });
    expect(lived.differences).toEqual([]);
    expect(lived.breaches).toEqual([]);
    expect(lived.rounds).toBe((plan.days * 24) / rhythm + 1);
  });
});
