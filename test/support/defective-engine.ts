/** The normal engine thread, except that a method has a defect. */
import { SyncEngine } from '../../src-main/sync/engine/engine.ts';

let calls = 0;
const call = SyncEngine.prototype.call;
SyncEngine.prototype.call = async function (this: SyncEngine, method, args) {
  if (method === 'visits.end') {
    calls += 1;
    throw new TypeError(`Defect number ${calls}, with Bearer abcdef-123456.`);
  }
  if (method === 'sync.resume') throw new RangeError('Another defect.');
  return call.call(this, method, args) as never;
};
await import('../../src-main/core/engine/engine-worker.ts');
