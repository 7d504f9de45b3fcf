// Prints the counts; with `--walks` also the files that five calls pass.
import { count } from './count.mjs';
import { asText } from './text.mjs';

console.log(asText(count()));
if (process.argv.includes('--walks')) {
  // Imported only now, because it loads the whole core.
  const { walk } = await import('./walks.mjs');
  for (const [name, files] of Object.entries(await walk())) {
    console.log(`\n${name} passes ${files.length} files of src-main:\n  ${files.join('\n  ')}`);
  }
}
