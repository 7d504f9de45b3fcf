// A demo service in a process of its own, so that what it costs is not counted: node test/bench/service.ts ITEMS
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';

const service = await startDemoService({
  clock: systemClock,
  content: { selected: Number(process.argv[2]), unselected: 0 },
});
process.on('message', (edits: number) => {
  const items = service.control.selectedItems();
  for (const { id, title } of items.slice(0, edits)) service.control.editItem(id, { title: `${title} (2)` });
  process.send?.('edited');
});
process.on('disconnect', () => void service.close());
process.send?.(service.newsAddress);
