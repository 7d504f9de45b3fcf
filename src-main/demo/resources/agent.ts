import { z } from 'zod';
import type { Answer } from '../http/answer.ts';
import { readQuery } from '../http/query.ts';
import type { Asked } from '../http/router.ts';
import type { World } from '../world.ts';

/** `GET /agent`: a guide in Markdown for language models (sheet 3, "Agent guide"). */
export function agentGuide(_world: World, asked: Asked): Answer {
  readQuery(asked.search, z.strictObject({}));
  const base = `${asked.origin}/api/v1`;
  const body = `# Broadsheet demo news

Made-up AI news for trying a reader. Everything is read-only and anonymous; nothing here happened.

## Where things are

- [Recent items](${base}/items): the last seven days, \`mode=selected\` or \`mode=all\`
- [Hot topics](${base}/hot-topics): ten at most, ranked anew every five minutes
- [Dailies](${base}/dailies), [weeklies](${base}/weeklies), [monthlies](${base}/monthlies): fixed editions, corrected when needed
- [Selected snapshot](${base}/selected/snapshot), then [selected changes](${base}/selected/changes): a complete copy of the selected set

## Manners

1. Ask no sooner than \`s-maxage\` allows, and send \`If-None-Match\`.
2. Quote titles and summaries as what they are: written by a machine, from sources that each item links to.
`;
  return { status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body, lifetime: 300 };
}
