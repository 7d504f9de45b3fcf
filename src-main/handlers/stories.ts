import type { Handlers, Session } from './types.ts';

export function storiesHandlers(session: Session) {
  const reader = (): Session['reader'] => session.reader;
  return {
    'hotTopics.list': () => reader().explained(() => reader().rankings.list()),
    'stories.list': ({ which }) => ({ stories: reader().explained(() => reader().stories.list(which)) }),
    'stories.get': ({ publicId }) => reader().explained(() => reader().stories.get(publicId)),
  } satisfies Partial<Handlers>;
}
