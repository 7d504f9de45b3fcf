// Imported first by every command: an old Node is told so before anything newer than itself is reached.
import { tooOldNode } from './node-version.mjs';

const reason = tooOldNode(process.versions.node);
if (reason !== null) {
  console.error(`broadsheet: ${reason}`);
  process.exit(1);
}
