import type { Handlers, Session } from './types.ts';

export function storiesHandlers(session: Session) {
  return {
    'hotTopics.list': () => session.longRead('hotTopics', {}),
    'stories.list': async (args) => ({ stories: await session.longRead('stories', args) }),
    'stories.get': ({ publicId }) => session.queries.stories.get(publicId),
  } satisfies Partial<Handlers>;
}
