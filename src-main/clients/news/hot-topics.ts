import { z } from 'zod';
import { numberIn } from '../../common/numbers.ts';
import type { HotTopic } from '../../contract/model/story.ts';
import { count, linksOf, sourceOf, texts, time, title } from '../parsing/fields.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  checkPage,
  distinctBy,
  readRecords,
  recordId,
  skipFor,
  unknownMembers,
  type RawRecord,
  type Parsed,
  type Skipped,
} from '../parsing/records.ts';

export interface HotTopicsAnswer {
  topics: HotTopic[];
  skipped: Skipped[];
}

/** Document 1 section 2. */
export const LAST_RANK = 10;

const topicFields = z.object({
  rank: z.preprocess(
    numberIn,
    z
      .int('is missing or not a whole number')
      .min(1, 'is below 1')
      .max(LAST_RANK, `is above ${String(LAST_RANK)}`),
  ),
  id: recordId,
  title,
  sourceCount: count,
  signalCount: count,
  participantCount: count,
  sourceNames: texts,
  latestAt: time,
});
const TOPIC_FIELDS = new Set([...Object.keys(topicFields.shape), 'source', 'links']);
const LINKS = ['aihot', 'original', 'story'] as const;

const envelope = z.object({ items: z.custom<unknown[]>(Array.isArray, 'is missing or not a list') });
const USUAL = 45;

/** Allows gaps between ranks. Errors: `invalid_body`, also if no record is valid. */
export function readHotTopics(value: unknown): HotTopicsAnswer {
  const { items } = checkEnvelope(envelope, value);
  const topics = readRecords(checkPage(items, USUAL), readTopic);
  const different = distinctBy(topics, (topic) => JSON.stringify(topic));
  // One article can lead two topics, but a rank is that of one.
  const { records, skipped } = distinctBy(different, ({ rank }) => rank, 'its rank is taken');
  if (records.length === 0 && skipped.length > 0) throw brokenEnvelope('none of its topics is valid');
  return { topics: records.sort((a, b) => a.rank - b.rank), skipped };
}

function readTopic(raw: RawRecord): Parsed<HotTopic> {
  const checked = topicFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const { rank, id, title, ...fields } = checked.data;
  const topic: HotTopic = {
    rank,
    id,
    title,
    source: sourceOf(raw),
    links: linksOf(raw, LINKS),
    ...fields,
    extra: unknownMembers(raw, TOPIC_FIELDS),
  };
  return { record: topic };
}
