/** In the registry of MCP servers, which looks for it in the package: both have one owner then. */
export const mcpName = 'app.broadsheet/broadsheet';

/** Not in the bundle of the command line, because it has a compiled module. */
const outside = ['better-sqlite3'];

/**
 * Returns the package.json of the package that npm installs. Everything else that the project depends on is in the bundle,
 * or for the desktop app.
 * @param {Record<string, any>} project the project's package.json
 */
export function packageManifest({ name, version, description, license, type, bin, engines, dependencies }) {
  const needed = Object.fromEntries(outside.map((one) => [one, dependencies[one]]));
  const keywords = ['ai', 'news', 'reader', 'models', 'mcp', 'rss', 'offline'];
  const publishConfig = { access: 'public', provenance: true };
  return {
    ...{ name, version, description, keywords, license, type, bin, engines, publishConfig, mcpName },
    dependencies: needed,
  };
}
