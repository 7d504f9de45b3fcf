import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proxyEnvironment } from '../../scripts/setup/electron/proxy.mjs';
import { temporaryFolder } from '../support/folders.ts';

const PROXY = 'http://proxy.example:3128';
const USE = { ELECTRON_GET_USE_PROXY: 'true' };

describe('a proxy for the download of Electron', () => {
  it.each([
    ['none', {}, {}],
    ['an empty one', { HTTPS_PROXY: '' }, {}],
    ['the usual variable', { HTTPS_PROXY: PROXY }, USE],
    ['in small letters', { http_proxy: PROXY, ALL_PROXY: 'http://other.example' }, USE],
    ['a choice that was made', { HTTPS_PROXY: PROXY, ELECTRON_GET_USE_PROXY: '1' }, { ELECTRON_GET_USE_PROXY: '1' }],
    ['one for everything', { all_proxy: PROXY }, { ...USE, HTTPS_PROXY: PROXY }],
    ['one of another kind', { ALL_PROXY: 'socks5://proxy.example' }, {}],
    ["npm's own", { npm_config_proxy: PROXY, npm_config_noproxy: '' }, { ...USE, HTTPS_PROXY: PROXY }],
    [
      "npm's own with exceptions",
      { npm_config_https_proxy: PROXY, npm_config_proxy: 'http://b', npm_config_noproxy: 'a.example' },
      { ...USE, HTTPS_PROXY: PROXY, NO_PROXY: 'a.example' },
    ],
  ])('%s', (_what, environment, added) => {
    expect(proxyEnvironment(environment)).toEqual(added);
  });

  it('is used by the program that downloads', async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void proxy.close());
    const environment = { ALL_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const require = createRequire(createRequire(import.meta.url).resolve('electron/package.json'));
    const get = pathToFileURL(require.resolve('@electron/get')).href;
    const script = `const { downloadArtifact } = await import('${get}');
      await downloadArtifact({ version: '1.0.0', artifactName: 'electron', cacheRoot: '${temporaryFolder()}' });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: 'ignore',
      env: { ...environment, ...proxyEnvironment(environment) },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(asked[0]).toBe('github.com:443');
  });
});
