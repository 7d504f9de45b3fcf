import { describe, expect, it } from 'vitest';
import { exportedFile } from '../../src-main/common/exported-file.ts';

/** A source of `total` entries that counts what was read. */
function sourceOf(total: number, limit?: number) {
  const read: number[] = [];
  return {
    read,
    source: {
      frame: (updatedAt: string | null) =>
        Promise.resolve({ name: 'a', mediaType: 'b', head: `[${updatedAt ?? 'none'}`, separator: ',', tail: ']' }),
      part: (cursor: string | null, most: number) => {
        const start = Number(cursor ?? 0);
        const count = Math.min(most, total - start);
        read.push(count);
        return Promise.resolve({
          text: Array.from({ length: count }, (_, at) => start + at).join(','),
          count,
          left: 0,
          // The latest change is in the middle.
          updatedAt: count === 0 ? null : start === 200 ? '2026-03-19' : '2026-03-18',
          next: start + count < total ? String(start + count) : null,
        });
      },
      ...(limit !== undefined && { limit }),
    },
  };
}

async function whole(texts: ReturnType<typeof exportedFile>) {
  let text = '';
  for (;;) {
    const { done, value } = await texts.next();
    if (done) return { text, totals: value };
    text += value;
  }
}

describe('an exported file', () => {
  it('is read in parts, each only when the one before was taken', async () => {
    const { source, read } = sourceOf(100_000);
    const texts = exportedFile(source);
    await texts.next();
    expect(read).toEqual([]);
    await texts.next();
    await texts.next();
    expect(read).toEqual([200, 200]);
    await texts.return(undefined as never);
    expect(read).toHaveLength(2);
  });

  it.each([
    [0, undefined, []],
    [450, undefined, [200, 200, 50]],
    [450, 201, [200, 1]],
    [450, 1000, [200, 200, 50]],
  ])('of %d entries with the limit %s has each once', async (total, limit, parts) => {
    const { source, read } = sourceOf(total, limit);
    const { text, totals } = await whole(exportedFile(source));
    const count = Math.min(total, limit ?? total);
    expect(text).toBe(`[none${Array.from({ length: count }, (_, at) => at).join(',')}]`);
    expect(read.filter((one) => one > 0)).toEqual(parts);
    const last = count > 200 ? '2026-03-19' : 'none';
    expect(totals).toEqual({ head: `[${last}`, count, left: 0 });
  });
});
