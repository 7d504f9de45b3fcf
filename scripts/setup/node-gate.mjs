// Imported first by every command, so that an old Node gets a clear message before it fails on newer code.
import { tooOldNode } from './node-version.mjs';

const reason = tooOldNode(process.versions.node);
if (reason !== null) {
  console.error(`broadsheet: ${reason}`);
  process.exit(1);
}
