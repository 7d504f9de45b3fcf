import { z } from 'zod';
import { fill } from '../content/template.ts';
import { AGENT_GUIDE } from '../content/texts.ts';
import type { Answer } from '../http/answer.ts';
import { readQuery } from '../http/query.ts';
import type { Asked } from '../http/router.ts';
import type { World } from '../world.ts';

/** `GET /agent`: a guide in Markdown for language models (sheet 3, "Agent guide"). */
export function agentGuide(_world: World, asked: Asked): Answer {
  readQuery(asked.search, z.strictObject({}));
  const base = `${asked.origin}/api/v1`;
  const body = fill(AGENT_GUIDE, { base });
  return { status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body, lifetime: 300 };
}
