import { onTestFinished } from 'vitest';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import type { EngineSettings } from '../../../src-main/sync/engine/types.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { servedList } from '../../support/served-list.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';
import { notifiedStories, topic, type NotifiedStories } from '../../support/told-stories.ts';
import { NaiveMirror, type Served } from './naive-mirror.ts';
import { NaiveStories, type ServedStory } from './naive-stories.ts';

/** Records a page of the list and of the snapshot, so that a few hundred items have several pages. */
const ITEMS_PAGE = 40;
const SNAPSHOT_PAGE = 70;
export const STORIES = Array.from({ length: 8 }, (_, n) => `story-${n}`);

/** A service, the engine that mirrors it, and the naive model of what the engine should have. */
export interface Scene {
  service: DemoService;
  clock: FakeClock;
  mirror: NaiveMirror;
  stories: NaiveStories;
  told: NotifiedStories;
  ranked: string[];
  servedStory(id: string): ServedStory;
  setStory(id: string, story: ServedStory): void;
  engine(): TestEngine;
  restart(): Promise<void>;
  useSettings(settings: Partial<EngineSettings>): Promise<void>;
  /** The k-th request from now on is not answered; 0 for none. */
  breakRequest(k: number): void;
  /** Ids that the changes since the last sync name as upserts. */
  touched: Set<string>;
  /** Set if the next sync gets a snapshot. */
  snapshot: boolean;
  served(): Promise<Served>;
}

export async function openScene(seed: number): Promise<Scene> {
  const clock = fakeClock();
  const told = notifiedStories();
  let left = 0;
  const service = await startDemoService({
    clock,
    seed,
    content: { selected: 160, unselected: 160, days: 20 },
    intercept: (request, response) => {
      const pages = { '/api/v1/items': ITEMS_PAGE, '/api/v1/selected/snapshot': SNAPSHOT_PAGE };
      const size = Object.entries(pages).find(([path]) => request.url?.startsWith(`${path}?`))?.[1];
      if (size !== undefined) request.url = request.url?.replace(/\blimit=\d+/, `limit=${size}`) ?? '';
      if (left > 0 && (left -= 1) === 0) {
        response.destroy();
        return true;
      }
      return told.intercept(request, response);
    },
  });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  let settings: Partial<EngineSettings> = {};
  const open = (): TestEngine => openTestEngine({ address: service.newsAddress, clock, folder, settings });
  let engine = open();
  const served = new Map<string, ServedStory>();

  const scene: Scene = {
    ...{ service, clock, told, mirror: new NaiveMirror(), stories: new NaiveStories(), ranked: [] },
    ...{ touched: new Set(), snapshot: true },
    servedStory: (id) => served.get(id) ?? null,
    setStory(id, story) {
      served.set(id, story);
      if (!story) told.lose(id);
      else if ('title' in story) told.tell(id, { title: story.title });
      else told.merge(id, story.mergedInto);
    },
    engine: () => engine,
    async restart() {
      await engine.engine.close();
      engine = open();
    },
    async useSettings(changed) {
      settings = { ...settings, ...changed };
      await engine.engine.useSettings({ ...engine.settings, ...settings });
    },
    breakRequest: (k) => void (left = k),
    async served() {
      const { snapshot, touched } = scene;
      scene.snapshot = false;
      scene.touched = new Set();
      const changed = snapshot ? new Set<string>() : touched;
      return {
        members: service.control.selectedItems(),
        isSnapshot: snapshot,
        changed,
        ...(await servedList(service)),
      };
    },
  };
  for (const id of STORIES) scene.setStory(id, { title: `${id}, first version` });
  rank(scene, STORIES.slice(0, 4));
  return scene;
}

export function rank(scene: Scene, ids: readonly string[]): void {
  scene.ranked = [...ids];
  scene.told.rank(ids.map((story, index) => topic(index + 1, `topic-${index}`, { story })));
}
