import type { Command } from 'commander';
import { parseWhole } from '../../invocation.ts';
import type { Run } from '../reading-commands.ts';

const commands = () => import('./service.ts');
/** Registered for nothing, and not among the ports that systems give out. */
const USUAL_PORT = 7311;
const HELP = `
It runs \`serve\` for you alone, from your login on, with the saved settings. On Linux, to keep it without a login:
  loginctl enable-linger`;

/** Adds the commands for running \`serve\` in the background. */
export function addService(program: Command, run: Run): void {
  const service = program
    .command('service')
    .description('run serve in the background: a systemd user unit, a launchd agent or a scheduled task');
  service
    .command('install')
    .description('show the unit, ask, write it and start the service')
    .option('--port <n>', 'the port on 127.0.0.1', parseWhole(1024, 65_535), USUAL_PORT)
    .option('--yes', 'do not ask')
    .addHelpText('after', HELP)
    .action(({ port, yes = false }: { port: number; yes?: boolean }) =>
      run(async (invocation) => (await commands()).installService(invocation, { port, yes })),
    );
  service
    .command('remove')
    .description('stop the service and remove its unit; your data stays')
    .action(() => run(async (invocation) => (await commands()).removeService(invocation)));
  service
    .command('status')
    .description('say whether the service is installed and running')
    .action(() => run(async (invocation) => (await commands()).serviceStatus(invocation)));
}
