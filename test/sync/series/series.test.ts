import { describe, expect, it } from 'vitest';
import { noteFigures } from '../../support/figures.ts';
import { isWhole, SEED } from '../../support/proofs.ts';
import { seededRandom } from '../../store/search/search-items.ts';
import { compareAll, compareCounts, compareList } from './compare.ts';
import { Operations } from './operations.ts';
import { openScene } from './scene.ts';

/** Operations. Lists and counts are compared after each, every row after each tenth. */
const LENGTH = isWhole ? 9_000 : 300;

describe('the mirror', () => {
  it('agrees with a naive one after any series of operations', async () => {
    const scene = await openScene(SEED);
    const operations = new Operations(scene, seededRandom(SEED));
    const history: string[] = [];
    try {
      for (let n = 1; n <= LENGTH; n += 1) {
        await operations.next();
        history.push(operations.name);
        compareCounts(scene);
        compareList(scene, operations.query(), 1 + operations.below(60));
        if (n % 10 === 0) compareAll(scene);
      }
    } catch (error) {
      const last = history.slice(-12).join(', ');
      throw new Error(`Seed ${SEED}, operation ${history.length}: ${last}\n${String(error)}`, { cause: error });
    }
    expect(scene.mirror.items.size).toBeGreaterThan(100);
    noteFigures({ what: 'operations', amount: LENGTH, counts: { differences: 0, items: scene.mirror.items.size } });
  });
});
