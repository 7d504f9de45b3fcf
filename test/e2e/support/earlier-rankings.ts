import { createCore } from '../../../src-main/core/core.ts';
import type { DemoService } from '../../../src-main/demo/service.ts';
import type { FakeClock } from '../../support/clock.ts';
import { plainPorts } from '../../support/plain-ports.ts';

const STEP = 3_600_000;

/** Syncs the ranking once an hour of the service's clock, so that topics have a history. */
export async function readRankings(
  dataFolder: string,
  { newsAddress }: DemoService,
  clock: FakeClock,
  hours: number,
): Promise<void> {
  const core = await createCore({ ...plainPorts({ dataFolder, address: newsAddress }), clock });
  for (let hour = 0; hour < hours; hour++) {
    await core.wire.call('sync.run', { urgency: 'now', resources: ['hotTopics'] });
    clock.leap(STEP);
  }
  await core.close();
}
