import type { Invocation } from '../invocation.ts';

/** On stderr, because an empty result is valid output. */
export async function hintNothingStored({ shell, dataFolder }: Invocation): Promise<void> {
  await shell.err.line(`Nothing saved yet in ${dataFolder}: run \`broadsheet sync\`.`);
}
