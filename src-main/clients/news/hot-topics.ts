import { z } from 'zod';
import type { HotTopic } from '../../contract/model/hot-topic.ts';
import { count, linksOf, sourceOf, text, texts, title } from '../parsing/fields.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  checkPage,
  readRecords,
  skip,
  skipFor,
  unknownMembers,
} from '../parsing/records.ts';
import type { RawRecord, Reading, Skipped } from '../parsing/records.ts';

/** The answer of `GET /api/v1/hot-topics`, by rank. */
export interface HotTopicsAnswer {
  topics: HotTopic[];
  skipped: Skipped[];
}

const topicFields = z.object({
  rank: z.int('is missing or not a whole number').min(1, 'is below 1'),
  id: z.string('is missing or not a string').min(1, 'is empty').max(512, 'is longer than 512 characters'),
  title,
  sourceCount: count,
  signalCount: count,
  participantCount: count,
  sourceNames: texts,
  latestAt: text,
});
const TOPIC_FIELDS = new Set([...Object.keys(topicFields.shape), 'source', 'links']);
const LINKS = ['aihot', 'original', 'story'] as const;

const envelope = z.object({ items: z.custom<unknown[]>(Array.isArray, 'is missing or not a list') });
/** A ranking has ten topics (document 1 section 4.2); a few times as many would still be one. */
const USUAL = 45;

/**
 * Ranks can have gaps; of two topics with the same rank, the second is skipped. Errors: `invalid_body` without a list, with
 * more than 100 topics, or if none of its records is valid.
 */
export function readHotTopics(value: unknown): HotTopicsAnswer {
  const ranks = new Set<number>();
  const { items } = checkEnvelope(envelope, value);
  const { records, skipped } = readRecords(checkPage(items, USUAL), (raw) => readTopic(raw, ranks));
  if (records.length === 0 && skipped.length > 0) throw brokenEnvelope('none of its topics is valid');
  return { topics: records.sort((a, b) => a.rank - b.rank), skipped };
}

function readTopic(raw: RawRecord, ranks: Set<number>): Reading<HotTopic> {
  const checked = topicFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const { rank, id, title, ...fields } = checked.data;
  if (ranks.has(rank)) return skip(raw, `rank ${rank} is taken`);
  ranks.add(rank);
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
