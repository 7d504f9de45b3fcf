// One cold mirror by the floor, in a process of its own: node test/bench/floor/run.ts ADDRESS FILE
import { floorMirror } from './mirror.ts';

const [address = '', file = ''] = process.argv.slice(2);
const times = await floorMirror(address, file);
process.send?.({ ...times, memory: process.resourceUsage().maxRSS / 1024 });
