import { PURPOSE, SeededRandom } from '../random.ts';
import { createRecord, type DemoRecord } from '../record.ts';
import type { Story } from '../stories.ts';

const HOUR = 3_600_000;
/** A story has 86 reports in all, and lists the newest 50 (observed-4-listed). */
const REPORTS = 86;
const LISTED = 50;
/** Numbers of reports that are no items. */
const REPORT_SLOTS = 3_000_000_000;

/** Gives every second story more reports than it lists. Returns the newest first. */
export function wideCoverage(seed: number, { newsEvent, items }: Story): { listed: DemoRecord[]; count: number } {
  if (newsEvent % 2 !== 0) return { listed: newestFirst(items).slice(0, LISTED), count: items.length };
  const [first] = items;
  const others = Array.from({ length: Math.max(0, LISTED - items.length) }, (_, index) => {
    const slot = REPORT_SLOTS + newsEvent * LISTED + index;
    const at = (first?.discoveredAt ?? 0) - new SeededRandom(seed, PURPOSE.harsh, slot).between(0, 6 * HOUR);
    const report = createRecord(seed, slot, at, { selected: false, single: true });
    return { ...report, newsEvent, category: first?.category ?? report.category, publishedAt: at };
  });
  return { listed: newestFirst([...items, ...others]).slice(0, LISTED), count: Math.max(REPORTS, items.length) };
}

export function newestFirst(records: readonly DemoRecord[]): DemoRecord[] {
  return records.toSorted((a, b) => (b.publishedAt ?? b.discoveredAt) - (a.publishedAt ?? a.discoveredAt));
}
