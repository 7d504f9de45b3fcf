/** A line of a table that `npm run bench` wrote: what Broadsheet took, and its ratio to the floor, if it has one. */
export interface Figure {
  /** The heading of its part, such as "100,000 items". */
  part: string;
  work: string;
  ours: number;
  ratio: number | null;
  /** The value of newsboat; null if it was not measured. */
  peer: number | null;
}

/** One figure in two runs. */
export interface Change {
  part: string;
  work: string;
  earlier: number;
  now: number;
  /** How much the ratio to the floor has grown: 1 is no change. */
  growth: number;
  /** False for worst cases, which don't decide: a single slow moment makes one, and says nothing about the next run. */
  judged: boolean;
}

/** Reads the tables of docs/performance.md, or of any run that was kept. Other lines are left out. */
export function figuresIn(markdown: string): Figure[] {
  const figures: Figure[] = [];
  let part = '';
  for (const line of markdown.split('\n')) {
    if (line.startsWith('## ')) part = line.slice(3).trim();
    const cells = /^\|(.*)\|$/
      .exec(line)?.[1]
      ?.split('|')
      .map((cell) => cell.trim());
    if (cells?.length !== 4 && cells?.length !== 5) continue;
    const [work, , ours, ratio, peer = ''] = cells as [string, string, string, string, string?];
    const value = Number(ours);
    if (ours === '' || Number.isNaN(value)) continue;
    const times = /^([\d.]+) x$/.exec(ratio)?.[1];
    const optional = (text: string | undefined): number | null => (text ? Number(text) : null);
    figures.push({ part, work, ours: value, ratio: optional(times), peer: optional(peer) });
  }
  return figures;
}

/** The lines of both runs that have a ratio: times by themselves depend on the machine and what else it does. */
export function changesBetween(earlier: readonly Figure[], now: readonly Figure[]): Change[] {
  return now.flatMap(({ part, work, ratio }) => {
    const before = earlier.find((figure) => figure.part === part && figure.work === work)?.ratio ?? null;
    if (ratio === null || before === null || before === 0) return [];
    return [{ part, work, earlier: before, now: ratio, growth: ratio / before, judged: !/worst|longest/.test(work) }];
  });
}
