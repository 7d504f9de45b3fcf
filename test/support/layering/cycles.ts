/** Which files each file imports; those that are no keys are left aside. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Files that import each other, in a circle of any length, types included: each group once, sorted. A component that shows
 * itself is none. (Tarjan's algorithm.)
 */
export function cyclesOf(graph: ImportGraph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const groups: string[][] = [];

  function visit(file: string): number {
    const at = order.size;
    order.set(file, at);
    lowest.set(file, at);
    path.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      const reached = order.has(target) ? (path.includes(target) ? order.get(target)! : at) : visit(target);
      lowest.set(file, Math.min(lowest.get(file)!, reached));
    }
    if (lowest.get(file) === at) {
      const group = path.splice(path.indexOf(file));
      if (group.length > 1) groups.push(group.sort());
    }
    return lowest.get(file)!;
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return groups.sort();
}
