import { describe, expect, it } from 'vitest';
import { menuTemplate } from '../../src-main/electron/menu.ts';

const roles = (platform: NodeJS.Platform, development = false) => JSON.stringify(menuTemplate(platform, development));

describe('the native menu', () => {
  it("begins with the app's own menu on macOS and with the file menu elsewhere", () => {
    expect(menuTemplate('darwin', false)[0]).toEqual({ role: 'appMenu' });
    expect(menuTemplate('win32', false)[0]).toEqual({ role: 'fileMenu' });
    expect(menuTemplate('linux', false)[0]).toEqual({ role: 'fileMenu' });
  });

  it('brings copy and paste, without which no shortcut works on macOS', () => {
    expect(menuTemplate('darwin', false)).toContainEqual({ role: 'editMenu' });
  });

  it('offers the developer tools in development only', () => {
    expect(roles('linux', true)).toContain('toggleDevTools');
    expect(roles('linux')).not.toContain('toggleDevTools');
  });
});
