import './setup/node-gate.mjs';
import { runCommand } from './setup/failure.mjs';
import { ensureMessages } from './setup/messages.mjs';
import { readOptions } from './setup/options.mjs';

readOptions({
  name: 'messages',
  about: 'Compiles the texts of the interface after an edit. Other commands do so too, and npm after an install.',
});

await runCommand(async () => {
  await ensureMessages();
  return 0;
});
