import { choice, plainCommand } from '../command.ts';
import { EXIT } from '../shell.ts';
import type { ShellName } from './completions.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const satisfies readonly ShellName[];

const HELP = `
To use them in every new shell:
  bash        broadsheet completion bash > ~/.local/share/bash-completion/completions/broadsheet
  zsh         broadsheet completion zsh > _broadsheet, in a folder of $fpath
  fish        broadsheet completion fish > ~/.config/fish/completions/broadsheet.fish
  powershell  broadsheet completion powershell >> $PROFILE`;

export const SHELL_COMMANDS = {
  completion: plainCommand({
    about: 'print completions for a shell',
    args: { shell: choice('the shell', SHELLS) },
    help: HELP,
    run: async ({ shell: name }, { shell, root }) => {
      const { completionFor } = await import('./completions.ts');
      await shell.out.line(completionFor(name, root).trimEnd());
      return EXIT.well;
    },
  }),
  man: plainCommand({
    about: 'print the manual page: broadsheet man | man -l -',
    run: async (_given, { shell, version, root }) => {
      const { manPage } = await import('./man-page.ts');
      await shell.out.line(manPage(root, version).trimEnd());
      return EXIT.well;
    },
  }),
};
