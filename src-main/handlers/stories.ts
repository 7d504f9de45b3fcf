import type { Handlers, Session } from './types.ts';

export function storiesHandlers(session: Session) {
  return {
    'hotTopics.list': () => session.queries.rankings.list(),
    'stories.list': ({ which }) => ({ stories: session.queries.stories.list(which) }),
    'stories.get': ({ publicId }) => session.queries.stories.get(publicId),
  } satisfies Partial<Handlers>;
}
