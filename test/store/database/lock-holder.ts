import { openStore } from '../../../src-main/store/index.ts';

/** Opens the data folder that it is given, says so, and holds it until it is killed. */
const [folder = ''] = process.argv.slice(2);
const store = openStore({ folder, source: 'https://news.example/', now: () => Date.now() });
store.transaction(({ statuses, now }) => statuses.mark(['held'], 'star', now));
process.stdout.write('open\n');
setInterval(() => store.queries.mirror.number('sequence'), 60_000);
