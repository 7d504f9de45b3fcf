import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { MethodName } from '../../src-main/contract/methods.ts';
import type { EventName, Events } from '../../src-main/contract/events.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { createCommands } from '../../src-main/electron/commands.ts';
import { watchTrayModel, type TrayModel } from '../../src-main/electron/desktop/tray.ts';
import { deferredIpc } from '../../src-main/electron/ipc.ts';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { fakeClock } from '../support/clock.ts';
import { countsOf, statusOf } from './support/desktop.ts';

type Answers = Partial<Record<MethodName, unknown>>;

/** A wire that returns the given replies and records calls; calls without a reply fail. */
function wireWith(answers: Answers) {
  const calls: [string, unknown][] = [];
  const listeners = new Map<EventName, (payload: never) => void>();
  const wire: Wire = {
    call: async (method, args) => {
      calls.push([method, args]);
      if (method in answers) return { ok: true, value: answers[method] as never };
      return { ok: false, error: { code: 'closed', message: 'no', retryable: true } };
    },
    on(event, listener) {
      listeners.set(event, listener);
      return () => void listeners.delete(event);
    },
  };
  const emit = <E extends EventName>(event: E, payload: Events[E]): void => listeners.get(event)?.(payload as never);
  return { wire, calls, emit, listeners };
}

describe('menu commands', () => {
  const NOW = new Date(2026, 2, 18, 14, 30).getTime();
  const did: unknown[] = [];
  const log = vi.fn();
  beforeEach(() => {
    did.length = 0;
    log.mockClear();
  });

  const commandsOver = (answers: Answers) => {
    const { wire, calls } = wireWith(answers);
    const commands = createCommands({
      wire,
      show: () => void did.push('show'),
      goTo: (target) => void did.push(target),
      quit: () => void did.push('quit'),
      clock: fakeClock(NOW),
      log,
    });
    return { commands, calls };
  };

  it('show the window at a target', () => {
    const { commands } = commandsOver({});
    commands.open();
    commands.goTo({ view: 'settings' });
    commands.quit();
    expect(did).toEqual(['show', { view: 'settings' }, 'show', 'quit']);
  });

  it('open the newest saved daily, or only the window if there is none', async () => {
    const { commands } = commandsOver({
      'reports.index': { lines: [{ label: '2026-03-18' }, { label: '2026-03-17' }] },
    });
    commands.openLatestDaily();
    await nextTurn();
    expect(did).toEqual(['show', { view: 'report', kind: 'daily', label: '2026-03-18' }]);
    did.length = 0;
    commandsOver({ 'reports.index': { lines: [] } }).commands.openLatestDaily();
    commandsOver({}).commands.openLatestDaily();
    await nextTurn();
    expect(did).toEqual(['show', 'show']);
  });

  it('refresh as far as the cache rules allow', () => {
    const { commands, calls } = commandsOver({ 'sync.run': {} });
    commands.refresh();
    expect(calls).toEqual([['sync.run', { urgency: 'permitted' }]]);
  });

  it('pause for an hour or until local midnight, and resume', () => {
    const { commands, calls } = commandsOver({ 'sync.pause': {}, 'sync.resume': {} });
    commands.pause('hour');
    commands.pause('untilTomorrow');
    commands.resume();
    expect(calls).toEqual([
      ['sync.pause', { untilMs: NOW + 3_600_000 }],
      ['sync.pause', { untilMs: new Date(2026, 2, 19).getTime() }],
      ['sync.resume', {}],
    ]);
  });

  it('turn quiet hours on and off without changing the times', async () => {
    const quietHours = { on: false, from: '23:15', to: '06:45' };
    const { commands, calls } = commandsOver({ 'settings.get': { quietHours }, 'settings.set': {} });
    commands.setQuietHours(true);
    await nextTurn();
    expect(calls.at(-1)).toEqual(['settings.set', { patch: { quietHours: { ...quietHours, on: true } } }]);
  });

  it('log a failed call', async () => {
    commandsOver({}).commands.refresh();
    await nextTurn();
    expect(log).toHaveBeenCalledWith('warn', expect.any(String), { method: 'sync.run', code: 'closed' });
  });
});

describe('a tray model', () => {
  it('exists at once, and is updated by replies and events', async () => {
    const { wire, emit } = wireWith({ 'counts.get': countsOf(3), 'sync.status': statusOf() });
    const models: TrayModel[] = [];
    watchTrayModel(wire, DEFAULT_SETTINGS, (trayModel) => models.push(trayModel));
    expect(models).toEqual([{ settings: DEFAULT_SETTINGS, counts: null, sync: null, broken: false }]);
    await nextTurn();
    expect(models.at(-1)).toMatchObject({ counts: countsOf(3), sync: statusOf() });
    emit('counts.changed', countsOf(4));
    emit('sync.changed', statusOf({ reachable: false }));
    emit('settings.changed', { ...DEFAULT_SETTINGS, unreadMark: 'none' });
    expect(models.at(-1)).toMatchObject({
      counts: countsOf(4),
      sync: { reachable: false },
      settings: { unreadMark: 'none' },
    });
  });

  it('prefers an event to a reply of an earlier call', async () => {
    const { wire, emit } = wireWith({ 'counts.get': countsOf(3), 'sync.status': statusOf() });
    const models: TrayModel[] = [];
    watchTrayModel(wire, DEFAULT_SETTINGS, (trayModel) => models.push(trayModel));
    emit('counts.changed', countsOf(9));
    await nextTurn();
    expect(models.at(-1)?.counts).toEqual(countsOf(9));
  });

  it('is read again when the data were replaced', async () => {
    const answers = { 'counts.get': countsOf(3), 'sync.status': statusOf() };
    const { wire, emit } = wireWith(answers);
    const models: TrayModel[] = [];
    watchTrayModel(wire, DEFAULT_SETTINGS, (trayModel) => models.push(trayModel));
    await nextTurn();
    answers['counts.get'] = countsOf(7);
    emit('data.replaced', {});
    await nextTurn();
    expect(models.at(-1)).toMatchObject({ counts: countsOf(7) });
  });

  it('is marked as broken if the core did not open', async () => {
    const models: TrayModel[] = [];
    watchTrayModel(wireWith({}).wire, DEFAULT_SETTINGS, (trayModel) => models.push(trayModel));
    await nextTurn();
    expect(models.at(-1)?.broken).toBe(true);
  });
});

describe('a deferred wire', () => {
  it('delays calls, and delivers events from the first one on', async () => {
    const { wire, calls, emit } = wireWith({ 'counts.get': countsOf(1) });
    const opening = Promise.withResolvers<Wire>();
    const late = deferredIpc(opening.promise);
    const heard: unknown[] = [];
    late.on('counts.changed', (counts) => heard.push(counts));
    const reply = late.call('counts.get', {});
    expect(calls).toEqual([]);
    opening.resolve(wire);
    expect(await reply).toMatchObject({ ok: true });
    emit('counts.changed', countsOf(2));
    expect(heard).toEqual([countsOf(2)]);
  });

  it('removes a listener, before it opens or after', async () => {
    const { wire, listeners } = wireWith({});
    const opening = Promise.withResolvers<Wire>();
    const late = deferredIpc(opening.promise);
    late.on('counts.changed', () => undefined)();
    const stop = late.on('sync.changed', () => undefined);
    opening.resolve(wire);
    await nextTurn();
    expect([...listeners.keys()]).toEqual(['sync.changed']);
    stop();
    expect(listeners.size).toBe(0);
  });
});
