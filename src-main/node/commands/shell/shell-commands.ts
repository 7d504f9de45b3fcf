import { Argument, type Command } from 'commander';
import { EXIT, type ExitCode, type Shell } from '../../shell.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
type ShellName = (typeof SHELLS)[number];

const HELP = `
To use them in every new shell:
  bash        broadsheet completion bash > ~/.local/share/bash-completion/completions/broadsheet
  zsh         broadsheet completion zsh > a folder of $fpath, as the file _broadsheet
  fish        broadsheet completion fish > ~/.config/fish/completions/broadsheet.fish
  powershell  broadsheet completion powershell >> $PROFILE`;

/** Runs a command that needs no data folder. */
export type RunPlain = (command: () => Promise<ExitCode>) => Promise<void>;

/** Adds the commands that print completions and the manual page, which are made from the definitions of all commands. */
export function addShell(program: Command, shell: Shell, version: string, run: RunPlain): void {
  program
    .command('completion')
    .description('print completions for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((name: ShellName) =>
      run(async () => {
        await shell.out.line((await completionOf(program, name)).trimEnd());
        return EXIT.well;
      }),
    );
  program
    .command('man')
    .description('print the manual page: broadsheet man | man -l -')
    .action(() =>
      run(async () => {
        const [{ manPage }, { describeCommand }] = await Promise.all([
          import('./man-page.ts'),
          import('./describe.ts'),
        ]);
        await shell.out.line(manPage(describeCommand(program), { version }).trimEnd());
        return EXIT.well;
      }),
    );
}

async function completionOf(program: Command, name: ShellName): Promise<string> {
  const [{ candidatesOf }, { describeCommand }] = await Promise.all([
    import('./candidates.ts'),
    import('./describe.ts'),
  ]);
  const candidates = candidatesOf(describeCommand(program));
  switch (name) {
    case 'bash':
      return (await import('./bash.ts')).bashCompletion(candidates);
    case 'zsh':
      return (await import('./zsh.ts')).zshCompletion(candidates);
    case 'fish':
      return (await import('./fish.ts')).fishCompletion(candidates);
    case 'powershell':
      return (await import('./powershell.ts')).powershellCompletion(candidates);
  }
}
