import { beforeAll } from 'vitest';

/** Called with what ends something. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/** Opens what the tests of a file share before the first, and ends it after the last. Returns how a test gets it. */
export function openOnce<Scene>(open: (atEnd: AtEnd) => Promise<Scene>): () => Scene {
  let scene: Scene;
  beforeAll(async () => {
    const ends: Parameters<AtEnd>[0][] = [];
    scene = await open((end) => void ends.unshift(end));
    return async () => {
      for (const end of ends) await end();
    };
  });
  return () => scene;
}
