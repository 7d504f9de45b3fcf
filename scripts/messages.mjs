// `npm run messages`: compiles the texts of the interface after an edit. Every other command does so too, and npm after
// an install, so that editors and single tests find them.
import './setup/node-gate.mjs';
import { runCommand } from './setup/failure.mjs';
import { ensureMessages } from './setup/messages.mjs';

await runCommand(async () => {
  await ensureMessages();
  return 0;
});
