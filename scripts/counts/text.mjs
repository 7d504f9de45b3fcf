/** @param {ReturnType<typeof import('./count.mjs').count>} counts */
export function asText({ all, tests, scripts, folders, depth, singleImporter, methods, settings, css }) {
  const sizes = { product: all, ...folders, test: tests, scripts };
  return [
    '| | files | folders | lines | code | comments | comments, % | lines a file |',
    '|---|---|---|---|---|---|---|---|',
    ...Object.entries(sizes).map(
      ([name, size]) =>
        `| ${[name, size.files, size.folders, size.lines, size.code, size.comments, size.commentPercent, Math.round(size.lines / size.files)].join(' | ')} |`,
    ),
    '',
    `Comments that begin with What, Whether, Of, Its, Answers or Who: ${all.bannedOpenings.length} (tests: ${tests.bannedOpenings.length}, scripts: ${scripts.bannedOpenings.length})`,
    `Deepest folder: ${depth.main} below src-main, ${depth.renderer} below src-renderer`,
    `Files with one importer: ${singleImporter.files} (${singleImporter.lines} lines); shorter than 80 lines: ${singleImporter.short}`,
    `Files of src-main that name a method: ${methods.median} (median of ${methods.names}; most: ${methods.most})`,
    `Files of src-main that name a setting: ${settings.median} (median of ${settings.names}; most: ${settings.most})`,
    `CSS: ${css.lines} lines, ${css.declarations} declarations, ${css.repeatedPercent} % of them occur five times or more`,
  ].join('\n');
}
