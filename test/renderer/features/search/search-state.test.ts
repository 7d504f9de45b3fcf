import { describe, expect, it } from 'vitest';
import { LiveAnswers } from '../../../../src-renderer/api/live.ts';
import { SearchState } from '../../../../src-renderer/features/search/search.svelte.ts';
import { wireAlone, type ControlledWire } from '../../support/controlled-wire.ts';
import { answer, madeUpHit } from '../../support/made-up-hits.ts';
import { settle } from '../../support/settle.ts';

/** A wire on which nothing is found. */
function emptyWire(): ControlledWire {
  const wire = wireAlone();
  wire.answer('search.find', () => answer({}));
  wire.answer('search.suggest', () => ({ suggestions: [] }));
  return wire;
}

/** A search whose answers come when the test lets them. */
function held(): { search: SearchState; let: (text: string) => Promise<void>; sent: () => string[] } {
  const wire = emptyWire();
  const gates = new Map<string, () => void>();
  const call = wire.call.bind(wire);
  wire.call = async (method, args) => {
    if (method !== 'search.find') return call(method, args);
    const { text } = args as { text: string };
    await new Promise<void>((resolve) => gates.set(text, resolve));
    return { ok: true, value: answer({ items: [madeUpHit({ title: `found ${text}` })] }) as never };
  };
  return {
    search: new SearchState(new LiveAnswers(wire)),
    let: async (text) => {
      gates.get(text)?.();
      await settle();
    },
    sent: () => [...gates.keys()],
  };
}

const titleOf = (search: SearchState): string | undefined => search.results?.groups[0]?.hits[0]?.title;

describe('a search while typing', () => {
  it('prepares for the first key without showing anything', async () => {
    const { search, let: answered, sent } = held();
    search.type(' ', 1);
    await answered('');
    expect([sent(), search.results, search.busy]).toEqual([[''], null, false]);
  });

  it('says while its results are those of an earlier text', async () => {
    const { search, let: answered } = held();
    search.type('a', 1);
    expect(search.busy).toBe(true);
    search.type('ab', 2);
    await answered('a');
    expect([search.busy, search.answered, titleOf(search)]).toEqual([true, 'a', 'found a']);
    await answered('ab');
    expect([search.busy, search.answered, titleOf(search)]).toEqual([false, 'ab', 'found ab']);
  });

  it('has one search under way at most, and then searches for the latest text only', async () => {
    const { search, let: answered, sent } = held();
    for (const text of ['a', 'ab', 'abc', 'abcd', 'abcde']) search.type(text, text.length);
    expect(sent()).toEqual(['a']);
    await answered('a');
    expect([sent(), titleOf(search)]).toEqual([['a', 'abcde'], 'found a']);
    await answered('abcde');
    expect([sent(), titleOf(search)]).toEqual([['a', 'abcde'], 'found abcde']);
    // The next one begins when it is typed.
    search.type('b', 1);
    expect(sent()).toEqual(['a', 'abcde', 'b']);
  });

  it('finds nothing for an empty text, whatever answers are still on their way', async () => {
    const { search, let: answered } = held();
    search.type('a', 1);
    search.type('  ', 2);
    expect(search.results).toBeNull();
    await answered('a');
    expect(search.results).toBeNull();
    await answered('');
    expect([search.results, search.busy]).toEqual([null, false]);
  });

  it('says why it failed, once, and finds again', async () => {
    const wire = emptyWire();
    const search = new SearchState(new LiveAnswers(wire));
    wire.failing.set('search.find', { code: 'internal', message: 'broken', retryable: false });
    search.type('a', 1);
    await search.settled();
    expect(search.failure?.code).toBe('internal');
    wire.failing.clear();
    search.type('ab', 2);
    await search.settled();
    expect([search.failure, search.results?.problems]).toEqual([null, []]);
  });

  it('suggests for the latest text only', async () => {
    const wire = emptyWire();
    const search = new SearchState(new LiveAnswers(wire));
    wire.answer('search.suggest', ({ text, at }) => ({
      suggestions: [{ insert: `${text}:`, from: 0, to: at, label: text }],
    }));
    const release = wire.hold('search.suggest');
    search.type('so', 2);
    search.type('sou', 3);
    release();
    await search.settled();
    expect(search.suggestions.map(({ label }) => label)).toEqual(['sou']);
  });
});
