import type { Clock, Log } from '../contract/ports.ts';
import type { Target } from '../contract/refs.ts';
import type { Wire } from '../contract/wire.ts';

export interface Commands {
  open(): void;
  goTo(target: Target): void;
  openLatestDaily(): void;
  refresh(): void;
  pause(span: 'hour' | 'untilTomorrow'): void;
  resume(): void;
  setQuietHours(on: boolean): void;
  quit(): void;
}

interface CommandPorts {
  wire: Wire;
  show(): void;
  goTo(target: Target): void;
  quit(): void;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

const HOUR = 3_600_000;

export function createCommands({ wire, show, goTo, quit, clock, log }: CommandPorts): Commands {
  const call: Wire['call'] = async (method, args) => {
    const reply = await wire.call(method, args);
    if (!reply.ok) log('warn', 'Menu command failed', { method, code: reply.error.code });
    return reply;
  };
  const showTarget = (target: Target): void => {
    goTo(target);
    show();
  };
  const openLatestDaily = async (): Promise<void> => {
    show();
    const reply = await call('reports.index', { kind: 'daily' });
    const newest = reply.ok ? reply.value.lines[0] : undefined;
    if (newest) goTo({ view: 'report', kind: 'daily', label: newest.label });
  };
  const setQuietHours = async (on: boolean): Promise<void> => {
    const settings = await call('settings.get', {});
    if (settings.ok) await call('settings.set', { patch: { quietHours: { ...settings.value.quietHours, on } } });
  };
  return {
    open: show,
    goTo: showTarget,
    openLatestDaily: () => void openLatestDaily(),
    refresh: () => void call('sync.run', { urgency: 'permitted' }),
    pause: (span) => void call('sync.pause', { untilMs: endOf(span, clock.now()) }),
    resume: () => void call('sync.resume', {}),
    setQuietHours: (on) => void setQuietHours(on),
    quit,
  };
}

function endOf(span: 'hour' | 'untilTomorrow', now: number): number {
  if (span === 'hour') return now + HOUR;
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
}
