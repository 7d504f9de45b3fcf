import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SEED } from './proofs.ts';
import { expectHeld } from './properties.ts';

it('names the seed and the smallest case of a failure, which runs alone', async () => {
  const alone: boolean[] = [];
  const failed = expectHeld(fc.array(fc.nat({ max: 1_000 })), 200, (numbers, isAlone) => {
    alone.push(isAlone);
    return numbers.some((number) => number >= 100) ? Promise.reject(new Error('Too large')) : Promise.resolve();
  });
  const words = new RegExp(
    `^Seed ${SEED}, path [\\d:]+, case \\d+, .*The smallest case: \\[100\\]\\nError: Too large`,
    's',
  );
  await expect(failed).rejects.toThrow(words);
  expect(alone[0]).toBe(false);
  expect(alone.at(-1)).toBe(true);
});

it('checks as many cases as it is told', async () => {
  let ran = 0;
  await expectHeld(fc.nat(), 17, () => Promise.resolve(void (ran += 1)));
  expect(ran).toBe(17);
});
