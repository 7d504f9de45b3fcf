import { describe, expect, it } from 'vitest';
import { LiveAnswers } from '../../../../src-renderer/api/live.ts';
import { SettingsState } from '../../../../src-renderer/features/settings/settings.svelte.ts';
import { openCore } from '../../support/core.ts';
import { settle } from '../../support/settle.ts';

const DISK_FULL = { code: 'disk_full', message: 'The disk is full.', retryable: true } as const;

describe('the settings on the page', () => {
  it('are not reset by the reply to an earlier change', async () => {
    const wire = await openCore();
    const before = wire.settings;
    const settings = new SettingsState(new LiveAnswers(wire));
    await settings.load();
    const release = wire.hold();
    const changes = [settings.set({ theme: 'dark' }), settings.set({ theme: 'light', density: 'compact' })];
    wire.emit('settings.changed', { ...before, theme: 'dark' });
    expect(settings.current).toMatchObject({ theme: 'light', density: 'compact' });
    release();
    await Promise.all(changes);
    expect(settings.current).toEqual({ ...before, theme: 'light', density: 'compact' });
    expect(wire.settings).toEqual(settings.current);
  });

  it('undo a change that could not be saved, and keep the others', async () => {
    const wire = await openCore();
    const before = wire.settings;
    const settings = new SettingsState(new LiveAnswers(wire));
    await settings.load();
    wire.failing.set('settings.set', DISK_FULL);
    const failed = settings.set({ theme: 'dark' });
    expect(settings.current.theme).toBe('dark');
    wire.answer('settings.get', () => ({ ...before, language: 'zh-CN' }));
    wire.emit('settings.changed', { ...before, language: 'zh-CN' });
    expect(await failed).toEqual({ ok: false, error: DISK_FULL });
    await settle();
    expect(settings.current).toEqual({ ...before, language: 'zh-CN' });
  });

  it('show an address once the core has accepted it', async () => {
    const wire = await openCore();
    const settings = new SettingsState(new LiveAnswers(wire));
    await settings.load();
    const change = settings.set({ newsAddress: 'https://news.example' });
    expect(settings.current.newsAddress).toBeNull();
    await change;
    expect(settings.current.newsAddress).toBe('https://news.example');
  });
});
