// One cold mirror by the floor, in a process of its own: node test/bench/floor/run.ts ADDRESS FOLDER
import { join } from 'node:path';
import { floorMirror } from './mirror.ts';

const [address = '', folder = ''] = process.argv.slice(2);
const times = await floorMirror(address, join(folder, 'floor.db'));
process.send?.({ ...times, memory: process.resourceUsage().maxRSS / 1024 });
