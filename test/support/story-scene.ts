import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { notifiedStories, topic, type NotifiedStories } from './told-stories.ts';

export interface Scene {
  app: TestApp;
  told: NotifiedStories;
  /** Syncs hot topics and stories. */
  sync(urgency?: 'due' | 'permitted' | 'now'): Promise<Awaited<ReturnType<TestApp['call']>>>;
  open(publicId: string): ReturnType<typeof open>;
  /** The paths of stories requested since the last call. */
  asked(): string[];
}

const open = ({ call }: TestApp, publicId: string) => call('stories.open', { publicId });

/** A service with a ranking that links to these stories. */
export async function openScene(hot: string[], options: Parameters<typeof openTestApp>[0] = {}): Promise<Scene> {
  const told = notifiedStories();
  const app = await openTestApp({
    content: { selected: 1 },
    intercept: (...args) => told.intercept(...args),
    ...options,
  });
  told.rank(hot.map((story, index) => topic(index + 1, `item-${index}`, { story })));
  for (const id of hot) told.tell(id);
  let looked = 0;
  return {
    app,
    told,
    sync: async (urgency = 'now') => {
      const { resources } = await app.call('sync.run', { urgency, resources: ['hotTopics', 'stories'] });
      return resources.stories as never;
    },
    open: (publicId) => open(app, publicId),
    asked: () => {
      const paths = told.asked.slice(looked).map(({ path }) => path);
      looked = told.asked.length;
      return paths.filter((path) => path.includes('/stories/')).map((path) => path.replace('/api/v1/stories/', ''));
    },
  };
}

export const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => (error instanceof BroadsheetError ? error.code : error),
  );
