/** Variables that name a proxy, by precedence. npm sets its own from .npmrc. */
const understood = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
const others = ['all_proxy', 'ALL_PROXY', 'npm_config_https_proxy', 'npm_config_proxy'];

/**
 * Returns additional variables with which Electron's download uses the proxy of this computer. `@electron/get` has to
 * be told to use one, and reads only the usual four variables.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Record<string, string>} empty without a proxy
 */
export function proxyEnvironment(env) {
  const use = { ELECTRON_GET_USE_PROXY: env['ELECTRON_GET_USE_PROXY'] || 'true' };
  if (understood.some((name) => env[name])) return use;
  const proxy = others.map((name) => env[name]).find((value) => /^https?:\/\//i.test(value ?? ''));
  if (proxy === undefined) return {};
  const exceptions = env['no_proxy'] || env['NO_PROXY'] || env['npm_config_noproxy'];
  return { ...use, HTTPS_PROXY: proxy, ...(exceptions && { NO_PROXY: exceptions }) };
}
