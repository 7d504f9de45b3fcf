import type { Invocation } from '../invocation.ts';

/** Where there is nothing to show, what to do about it. On stderr: an empty result is a result. */
export async function hintNothingStored({ shell, dataFolder }: Invocation): Promise<void> {
  await shell.err.line(`Nothing stored yet in ${dataFolder}: run \`broadsheet sync\`.`);
}
