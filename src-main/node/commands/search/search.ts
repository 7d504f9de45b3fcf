import { sourceLabel } from '../../../common/source-label.ts';
import type { SearchGroup, SearchHit, SearchKind } from '../../../contract/model/search.ts';
import type { Invocation } from '../../invocation.ts';
import { call, openReadingCore } from '../../open-core.ts';
import { EXIT, type ExitCode } from '../../shell.ts';
import { bold, dim, line, lines, type Text } from '../../styled-text.ts';
import { jsonLine, localTime } from '../../terminal.ts';
import { hintNothingStored } from '../hints.ts';
import { sinceMs, type Since } from '../since.ts';
import { sayProblems } from './query-problems.ts';

export interface SearchOptions {
  kinds?: SearchKind[];
  limit: number;
  since?: Since;
}

/** Searches everything that is saved, or some kinds of it: the best of each first. */
export async function search(invocation: Invocation, text: string, options: SearchOptions): Promise<ExitCode> {
  const { shell, json } = invocation;
  const opened = await openReadingCore(invocation);
  if (!opened) {
    await hintNothingStored(invocation);
    return EXIT.well;
  }
  try {
    const { kinds, limit, since } = options;
    const from = since === undefined ? {} : { since: Math.max(0, await sinceMs(opened.wire, since)) };
    const asked = { text, limit, ...from, ...(kinds && { in: kinds }) };
    const { groups, problems } = await call(opened.wire, 'search.find', asked);
    await sayProblems(shell, problems);
    for (const group of groups) {
      if (!json && group.count > 0) await shell.out.line(headingOf(group));
      for (const hit of group.hits) {
        await shell.out.line(json ? jsonLine(asJson(hit)) : wordsOf(hit));
        if (shell.out.closed) return EXIT.well;
      }
    }
    if (groups.every(({ count }) => count === 0)) await shell.err.line('Nothing found.');
    return EXIT.well;
  } finally {
    await opened.close();
  }
}

function asJson({ kind, id, title, snippet, at }: SearchHit): object {
  return { kind, id, title, snippet: snippet?.text ?? null, at };
}

function headingOf({ kind, count, atLeast, hits }: SearchGroup): Text {
  const all = `${String(count)}${atLeast ? ' or more' : ''}`;
  return line`${bold(kind)}: ${all}${hits.length < count ? `, the first ${String(hits.length)}` : ''}`;
}

function wordsOf({ id, title, snippet, at, source }: SearchHit): Text {
  const label = sourceLabel(source);
  const from = label === '' ? '' : ` - ${label}`;
  const head = line`  ${at === null ? '' : line`${dim(localTime(at))} `}${bold(title)}${from} ${dim(`[${id}]`)}`;
  return snippet ? lines([head, line`    ${snippet.text}`]) : head;
}
