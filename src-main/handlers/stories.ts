import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

type StoryMethods =
  'hotTopics.list' | 'stories.list' | 'stories.get' | 'stories.open' | 'stories.follow' | 'stories.star';

export function storiesHandlers(session: Session): Pick<Handlers, StoryMethods> {
  return {
    'hotTopics.list': () => session.queries.rankings.list(),
    'stories.list': ({ which }) => ({ stories: session.queries.stories.list(which) }),
    'stories.get': ({ publicId }) => session.queries.stories.get(publicId),
    'stories.open': (args) => session.engine.call('stories.open', args),
    'stories.follow': (args) => session.engine.call('stories.follow', args),
    'stories.star': (args) => session.engine.call('stories.star', args),
  };
}
