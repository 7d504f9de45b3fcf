/** The normal engine thread, except that two methods have a defect. */
import { Visits } from '../../src-main/sync/engine/follow-ups.ts';
import { Polling } from '../../src-main/sync/schedule/polling.ts';

let calls = 0;
Visits.prototype.end = () => {
  calls += 1;
  throw new TypeError(`Defect number ${calls}, with Bearer abcdef-123456.`);
};
Polling.prototype.endPause = () => {
  throw new RangeError('Another defect.');
};
await import('../../src-main/core/engine/engine-worker.ts');
