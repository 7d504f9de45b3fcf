// `node scripts/tray-icons.mjs`: draws resources/tray: the PNG files of each SVG, and the unread icons from the plain
// ones. Run it after changing an SVG, and commit the result. Needs Chromium.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { findBrowser } from './setup/browser.mjs';
import { inProject } from './setup/project.mjs';

const FOLDER = inProject('resources', 'tray');
const SIZE = 16;
/** Scale factors by file name suffix. */
const SCALES = { '': 1, '@2x': 2 };

/** Plain icon -> unread icon, and the colour of its dot. Template icons are black: macOS recolours them. */
const MARKED = {
  'tray-dark': ['tray-dark-unread', '#f2a18e'],
  'tray-light': ['tray-light-unread', '#97291c'],
  trayTemplate: ['trayUnreadTemplate', '#000000'],
};

/**
 * Adds a dot with a gap around it to the corner, so that the icon also differs in shape.
 *
 * @param {string} icon an SVG of 16 by 16
 * @param {string} colour
 */
function marked(icon, colour) {
  const gap =
    '<mask id="gap"><rect width="16" height="16" fill="#fff"/><circle cx="12.5" cy="3.5" r="4.5" fill="#000"/></mask>';
  return icon
    .replace(/(<svg[^>]*>)/, `$1\n  ${gap}\n  <g mask="url(#gap)">`)
    .replace('</svg>', `  </g>\n  <circle cx="12.5" cy="3.5" r="3.5" fill="${colour}"/>\n</svg>`);
}

for (const [plain, [name, colour]] of Object.entries(MARKED)) {
  await writeFile(
    join(FOLDER, `${name}.svg`),
    marked(await readFile(join(FOLDER, `${plain}.svg`), 'utf8'), String(colour)),
  );
}

const executablePath = await findBrowser();
if (executablePath === null) throw new Error('Chromium was not found. Set CHROMIUM_PATH.');
const browser = await chromium.launch({ executablePath });
for (const [suffix, deviceScaleFactor] of Object.entries(SCALES)) {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE }, deviceScaleFactor });
  for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith('.svg'))) {
    await page.setContent(
      `<style>body { margin: 0 } svg { display: block }</style>${await readFile(join(FOLDER, file), 'utf8')}`,
    );
    await page.screenshot({ path: join(FOLDER, file.replace(/\.svg$/, `${suffix}.png`)), omitBackground: true });
  }
}
await browser.close();
