import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SETUP = pathToFileURL(join(import.meta.dirname, '../../scripts/setup/')).href;
const SCRIPT = `
  import { forwardSignals } from '${SETUP}child.mjs';
  forwardSignals((signal) => { console.log('told ' + signal); process.exit(); });
  setInterval(() => undefined, 1000);
  console.log('ready');
`;

it.skipIf(process.platform === 'win32')(
  'a command that npm runs in a shell is notified when a signal ends the shell',
  async () => {
    // The second command prevents the shell from replacing itself with the first one, as in npm.
    const shell = spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, SCRIPT], {
      env: { ...process.env, npm_lifecycle_event: 'broadsheet' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (said === '') shell.kill('SIGTERM');
      said += text;
    });
    await once(shell.stdout, 'close');
    expect(said).toBe('ready\ntold SIGTERM\n');
  },
);

it.skipIf(process.platform === 'win32')('a command ends by the signal that stopped it', async () => {
  const script = `
    import { Interrupted, runCommand } from '${SETUP}failure.mjs';
    await runCommand(() => Promise.reject(new Interrupted('SIGINT')));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
});
