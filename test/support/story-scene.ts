import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { openHouse, type House } from './test-app.ts';
import { toldStories, topic, type ToldStories } from './told-stories.ts';

export interface Scene {
  house: House;
  told: ToldStories;
  /** Asks for hot topics and stories. */
  sync(urgency?: 'due' | 'permitted' | 'now'): Promise<Awaited<ReturnType<House['call']>>>;
  open(publicId: string): ReturnType<typeof open>;
  /** Paths of stories that were asked for since the last look here. */
  asked(): string[];
}

const open = ({ call }: House, publicId: string) => call('stories.open', { publicId });

/** A service whose ranking links to these stories. */
export async function openScene(hot: string[], options: Parameters<typeof openHouse>[0] = {}): Promise<Scene> {
  const told = toldStories();
  const house = await openHouse({ content: { selected: 1 }, intercept: told.intercept, ...options });
  told.rank(hot.map((story, index) => topic(index + 1, `item-${index}`, { story })));
  for (const id of hot) told.tell(id);
  let looked = 0;
  return {
    house,
    told,
    sync: async (urgency = 'now') => {
      const { resources } = await house.call('sync.run', { urgency, resources: ['hotTopics', 'stories'] });
      return resources.stories as never;
    },
    open: (publicId) => open(house, publicId),
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
