// The service that the app of the soak polls, in a process of its own: what it keeps of its news isn't the app's.
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';

const service = await startDemoService({ clock: systemClock });
process.send?.(service.newsAddress);
process.once('disconnect', () => void service.close());
