import { expect, onTestFinished } from 'vitest';
import type { NotificationGroup } from '../../src-main/contract/model/notification.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { startDemoService, type DemoOptions, type DemoService } from '../../src-main/demo/service.ts';
import type { EngineSettings } from '../../src-main/sync/engine/types.ts';
import { fakeClock, type FakeClock } from './clock.ts';
import { temporaryFolder } from './folders.ts';
import { openTestEngine, type TestEngine, type TestEngineOptions } from './test-engine.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const ZONE = 'Asia/Shanghai';
/** Wednesday, half past two in the afternoon in Shanghai. */
const START = '2026-03-18T06:30:00Z';
export const ALL_ON: Settings['notify'] = {
  daily: true,
  weekly: true,
  monthly: true,
  story: true,
  saved: true,
  models: true,
};
export const QUIET: Settings['quietHours'] = { on: true, from: '22:00', to: '09:00' };
export const NO_QUIET: Settings['quietHours'] = { ...QUIET, on: false };
/** No syncs except those that a test starts. */
const SETTINGS: EngineSettings = {
  polling: 'byHand',
  notify: ALL_ON,
  quietHours: NO_QUIET,
  proxy: 'none',
  keepDays: null,
  keepServicesDays: null,
  unreadAtFirst: 'everything',
};

/** An engine that syncs with the demo service, and what it notifies. */
export interface Scene {
  service: DemoService;
  clock: FakeClock;
  folder: string;
  room: TestEngine;
  /** Returns the notifications since its last call. */
  told(): NotificationGroup[];
  sync(): Promise<void>;
  use(patch: Partial<EngineSettings>): Promise<void>;
  /** Another run on the same folder, or on a copy of it. */
  reopen(options?: Partial<TestEngineOptions> & { started?: boolean }): Promise<void>;
}

export interface SceneOptions extends Partial<TestEngineOptions> {
  content?: DemoOptions['content'];
  intercept?: DemoOptions['intercept'];
  /** False for a command that syncs once and ends, which notifies nobody. */
  started?: boolean;
}

/** A service with four days of news, and an engine that has not synced yet. */
async function openScene({ content, intercept, started = true, ...rest }: SceneOptions = {}): Promise<Scene> {
  const clock = fakeClock(START);
  const service = await startDemoService({
    clock,
    content: content ?? { selected: 20, days: 4 },
    ...(intercept && { intercept }),
  });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  let settings = { ...SETTINGS, ...rest.settings };
  let options: TestEngineOptions = { address: service.newsAddress, clock, folder, zone: () => ZONE, ...rest };
  const open = async (start: boolean): Promise<TestEngine> => {
    const room = openTestEngine({ ...options, settings });
    if (start) await room.engine.start();
    return room;
  };
  let room = await open(started);
  let looked = 0;
  const scene: Scene = {
    service,
    clock,
    folder,
    get room() {
      return room;
    },
    told: () => {
      const fresh = room.events.slice(looked);
      looked = room.events.length;
      return fresh.filter((heard) => heard.event === 'notifications.raised').map(({ payload }) => payload);
    },
    sync: async () => {
      await room.call('sync.run', { urgency: 'now' });
    },
    use: async (patch) => {
      settings = { ...settings, ...patch };
      await room.engine.useSettings(settings);
    },
    reopen: async ({ started = true, ...other } = {}) => {
      await room.engine.close();
      options = { ...options, ...other };
      room = await open(started);
      looked = 0;
    },
  };
  return scene;
}

/** After its first sync, which raises no notification. */
export async function openSettled(options: SceneOptions = {}): Promise<Scene> {
  const scene = await openScene(options);
  await scene.sync();
  expect(scene.told()).toEqual([]);
  return scene;
}

/** So many days on, with something to report of each. In the middle of the night between them: at one in Shanghai. */
export function passDays({ clock, service }: Pick<Scene, 'clock' | 'service'>, days = 1): void {
  for (let day = 0; day < days; day += 1) {
    service.control.addItem();
    clock.leap(DAY);
  }
}

/** The notifications in the history, the newest first. */
export const history = ({ room }: Scene) => room.queries.notifications.list(500);
export const labelsOf = ({ notifications }: NotificationGroup) =>
  notifications.map(({ kind, label }) => `${kind} ${label ?? ''}`);
/** The target of a daily. */
export const daily = (label: string) => ({ view: 'report', kind: 'daily', label }) as const;
