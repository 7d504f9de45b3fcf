import { openStore } from '../../../src-main/store/index.ts';

/** Opens the given data folder, reports it, and keeps it open until it is killed. */
const [folder = ''] = process.argv.slice(2);
const store = openStore({ folder, source: 'https://news.example', now: () => Date.now() });
store.transaction(({ statuses, now }) => statuses.mark(['held'], 'star', now));
process.stdout.write('open\n');
setInterval(() => store.queries.mirror.number('sequence'), 60_000);
