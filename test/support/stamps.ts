import { FAR_AHEAD, LAST_EPOCH, type Stamp } from '../../src-main/common/stamps.ts';
import { LATEST_TIME } from '../../src-main/common/time.ts';

/** The stamp of an act that replaces `known`. */
export function nextStamp(known: Stamp | null, { now, device }: { now: number; device: string }): Stamp {
  if (known === null) return { epoch: 0, time: now, device };
  if (known.time > now + FAR_AHEAD && known.epoch < LAST_EPOCH) return { epoch: known.epoch + 1, time: now, device };
  return { epoch: known.epoch, time: Math.min(LATEST_TIME, Math.max(now, known.time + 1)), device };
}
