import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScheduleState } from '../../../src-main/store/schedule/fetch-log.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openWriter } from '../../support/store.ts';
import { model, openRoom, OWNER } from '../models/model-records.ts';

const FACTS: ScheduleState = {
  askedAt: 5,
  answeredAt: null,
  lifetime: 6,
  retryAfter: 7,
  dueAt: 8,
  failures: 1,
  failure: null,
};

describe('the name of the gateway', () => {
  it('is whose model lists are counted', () => {
    const { replace, reader, writer } = openRoom();
    replace([model('a/one'), model('a/two')]);
    replace([model('a/vectors')], { modelList: 'embeddings' });
    replace([model('b/one')], { owner: 'demo' });
    const rows = () => [reader.rows('models'), reader.rows('embeddings')];
    expect(rows()).toEqual([0, 0]);
    writer.nameGateway(OWNER);
    expect(rows()).toEqual([2, 1]);
    writer.nameGateway('demo');
    expect(rows()).toEqual([1, 0]);
    writer.nameGateway(null);
    expect(rows()).toEqual([0, 0]);
  });

  it.each([['another one'], [null]])('ends what the fetch log has of the one before: %s', (other) => {
    const writer = openWriter();
    writer.nameGateway(OWNER);
    for (const name of ['models', 'embeddings', 'items'] as const) writer.reschedule(name, FACTS);
    writer.nameGateway(other);
    expect(writer.property('gateway')).toBe(other);
    expect(writer.fetchLog.facts('models')).toBeNull();
    expect(writer.fetchLog.facts('embeddings')).toBeNull();
    expect(writer.fetchLog.facts('items')).toEqual(FACTS);
  });

  it('that is the same leaves it as it is', () => {
    const writer = openWriter();
    writer.nameGateway(OWNER);
    writer.reschedule('models', FACTS);
    writer.nameGateway(OWNER);
    expect(writer.fetchLog.facts('models')).toEqual(FACTS);
  });

  it('is not known to a new mirror, and a wish for patience stands', () => {
    const folder = temporaryFolder();
    const first = openWriter({ folder });
    first.nameGateway(OWNER);
    first.reschedule('models', FACTS);
    first.close();
    rmSync(join(folder, 'mirror.db'));
    const second = openWriter({ folder });
    second.nameGateway(OWNER);
    expect(second.fetchLog.facts('models')).toEqual({ ...FACTS, lifetime: 0, dueAt: 0 });
  });
});
