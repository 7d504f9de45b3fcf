import { readOptions, run } from './setup/command.mjs';
import { buildAnew } from './setup/build.mjs';

readOptions({ name: 'build', about: 'Builds out/, even if it is up to date.' });

await run(async () => {
  await buildAnew();
});
