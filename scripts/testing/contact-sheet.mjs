import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A picture of the page, by the parts of its name: `SCENE-WIDTH-SCHEME-LANGUAGE.png`.
 * @typedef {{ file: string, scene: string, width: number, scheme: string, language: string }} Picture
 */

/**
 * @param {readonly string[]} files names in a folder; what is no picture is left out
 * @returns {Picture[]} by scene, language and scheme, the widest first
 */
export function pictureNames(files) {
  const pictures = files.flatMap((file) => {
    const [, scene, width, scheme, language] = /^([\w-]+)-(\d+)-(light|dark)-(en|zh)\.png$/.exec(file) ?? [];
    if (scene === undefined || scheme === undefined || language === undefined) return [];
    return [{ file, scene, width: Number(width), scheme, language }];
  });
  /** @param {Picture} picture */
  const rank = ({ scene, language, scheme }) => `${scene}\n${language}\n${scheme === 'light' ? 0 : 1}`;
  return pictures.sort((a, b) => (rank(a) === rank(b) ? b.width - a.width : rank(a) < rank(b) ? -1 : 1));
}

/**
 * Formats a page with all pictures, small; each links to the file beside the page.
 * @param {readonly string[]} files names in its folder
 * @param {string} [before] folder of earlier pictures: each picture is shown after the earlier one, and what differs after it
 */
export function contactSheet(files, before) {
  const pictures = pictureNames(files);
  const scenes = [...new Set(pictures.map(({ scene }) => scene))];
  const sections = scenes.map((scene) => {
    const figures = pictures
      .filter((picture) => picture.scene === scene)
      .map(
        ({ file, width, scheme, language }) =>
          `<figure>${before === undefined ? linked(file) : compared(file, pathToFileURL(join(before, file)).href)}` +
          `<figcaption>${width} px, ${scheme}, ${language}</figcaption></figure>`,
      );
    return `<section><h2 id="${scene}">${scene}</h2>\n${figures.join('\n')}\n</section>`;
  });
  const links = scenes.map((scene) => `<a href="#${scene}">${scene}</a>`).join(' · ');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>Broadsheet: every view</title>
<style>
  body { margin: 1.5rem; background: #8883; font: 14px system-ui; color-scheme: light dark; }
  section { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.75rem; }
  h2 { flex: 100%; margin: 1.5rem 0 0; }
  figure { margin: 0; }
  img { height: 16rem; border: 1px solid #8888; }
  .difference { display: inline-grid; isolation: isolate; }
  .difference img { grid-area: 1 / 1; }
  .difference img + img { mix-blend-mode: difference; }
</style>
<h1>Every view</h1>
<p>${pictures.length} pictures of ${scenes.length} scenes: ${links}</p>
${sections.join('\n')}
</html>
`;
}

/** @param {string} address */
function linked(address) {
  return `<a href="${address}">${image(address)}</a>`;
}

/** @param {string} address */
function image(address) {
  return `<img src="${address}" loading="lazy" alt="" />`;
}

/**
 * The third picture is black where both are the same.
 * @param {string} file @param {string} before
 */
function compared(file, before) {
  return `${linked(before)} ${linked(file)} <span class="difference">${image(before)}${image(file)}</span>`;
}
