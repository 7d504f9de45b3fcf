import { counted } from '../../common/numbers.ts';
import type { ItemAction } from '../../contract/model/item.ts';
import type { Invocation } from '../invocation.ts';
import { call, openCore } from '../open-core.ts';
import { EXIT } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { jsonLine } from '../terminal.ts';

/** The limit of one call. */
const AT_ONCE = 1000;

/** Marks items, even ones that are not stored: statuses outlive their items. Prints how many changed. */
export async function mark(
  invocation: Invocation,
  { mark, ids }: { mark: ItemAction; ids: string[] },
): Promise<ExitCode> {
  const opened = await openCore(invocation, { fetches: false, waits: true });
  let changed = 0;
  try {
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const receipt = await call(opened.wire, 'items.mark', { ids: ids.slice(start, start + AT_ONCE), mark });
      changed += receipt.changed;
    }
  } finally {
    await opened.close();
  }
  await invocation.shell.out.line(invocation.json ? jsonLine({ changed }) : `${counted(changed, 'item')} changed`);
  return EXIT.well;
}
