import { StoreWriter } from '../../../src-main/store/writer.ts';

/** Opens the data folder that it is given, says so, and holds it until it is killed. */
const [folder = ''] = process.argv.slice(2);
const writer = new StoreWriter(folder, 'https://news.example/', () => Date.now());
writer.mark(['held'], 'star');
process.stdout.write('open\n');
setInterval(() => writer.sequence, 60_000);
