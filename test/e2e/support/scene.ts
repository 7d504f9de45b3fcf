import type { Browser } from 'playwright';
import type { Settings } from '../../../src-main/contract/settings.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService, type DemoOptions, type DemoService } from '../../../src-main/demo/service.ts';
import { startTestServer, type ReaderOptions, type TestServer } from '../../support/test-server.ts';
import { launchChromium } from './chromium.ts';

/** A demo service, a reader of it, and a browser: what the tests of a suite share. */
export interface Scene {
  service: DemoService;
  /** A test may start another one in its place. */
  reader: TestServer;
  browser: Browser;
  /** For the end of the suite: `beforeAll` may return it. */
  close: () => Promise<void>;
}

interface SceneOptions extends Partial<DemoOptions>, Pick<ReaderOptions, 'dataFolder' | 'environment'> {
  /** Changes the service before the reader starts. */
  prepare?: (service: DemoService) => void;
  /** Default: the news of the service, and no gateway. */
  settings?: (service: DemoService) => Partial<Settings>;
}

export async function openScene({
  prepare,
  settings = ({ newsAddress }) => ({ newsAddress }),
  dataFolder,
  environment = {},
  ...demo
}: SceneOptions): Promise<Scene> {
  const service = await startDemoService({ clock: systemClock, ...demo });
  prepare?.(service);
  const [reader, browser] = await Promise.all([
    startTestServer({ settings: settings(service), environment, ...(dataFolder !== undefined && { dataFolder }) }),
    launchChromium(),
  ]);
  const scene: Scene = {
    service,
    reader,
    browser,
    close: async () => {
      await browser.close();
      await scene.reader.close();
      await service.close();
    },
  };
  return scene;
}

/** The settings of a reader of both of its services. */
export const withGateway = ({ newsAddress, modelsAddress }: DemoService): Partial<Settings> => ({
  newsAddress,
  modelsAddress,
});
