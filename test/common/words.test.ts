import { describe, expect, it } from 'vitest';
import en from '../../src-main/common/i18n/messages/en.json' with { type: 'json' };
import zh from '../../src-main/common/i18n/messages/zh-CN.json' with { type: 'json' };

/** Words that readers met for what has another name, with what to say, and messages in which they mean something else. */
const EN: [word: RegExp, say: string, elsewhere?: RegExp][] = [
  [/\b(un)?selected\b/i, 'pick', /^(selection_|models_chosen|search_operator_is|sync_status_)/],
  [/\brecommend/i, 'pick'],
  [/\bevents?\b/i, 'topic'],
  // A report has stories. What several articles are about is a topic.
  [/\bstor(y|ies)\b/i, 'topic', /^(report_|exported_report_|keys_no_item|demo_text|welcome_)/],
  [/\barchived?\b/i, 'reports', /^report_export_many$/],
  [/\bcatalog(ue)?\b/i, 'models'],
  [/\bmachines?\b(?!-)/i, 'device or computer'],
  [/\bhealth\b/i, 'sync status'],
  [/\btimelines?\b/i, 'coverage'],
];
const ZH: [word: RegExp, say: string, elsewhere?: RegExp][] = [
  [/推荐/, '精选'],
  [/事件/, '热点', /^stories_first_party_hint$/],
  [/存档|归档/, '报告'],
  [/目录/, '模型', /^exported_book_contents$/],
  [/机器/, '设备', /^exported_items_note$/],
  [/你/, '您'],
  [/\b(earlier|related|story|report)\b/i, 'a Chinese word', /^search_operator_/],
];

type Messages = Readonly<Record<string, unknown>>;

/** The texts of a message, without the names of its inputs. */
function textsOf(message: unknown): string[] {
  if (typeof message === 'string') return [message.replaceAll(/\{\w+\}/g, '')];
  const cases = (message as { match: Record<string, string> }[]).flatMap(({ match }) => Object.values(match));
  return cases.map((text) => text.replaceAll(/\{\w+\}/g, ''));
}

function found(messages: Messages, [word, , elsewhere]: (typeof EN)[number]): string[] {
  return Object.entries(messages).flatMap(([key, message]) =>
    key === '$schema' || elsewhere?.test(key)
      ? []
      : textsOf(message).flatMap((text) => (word.test(text) ? [`${key}: ${text}`] : [])),
  );
}

describe('one thing has one word', () => {
  it.each(EN)('in English: not %s but %s', (...rule) => {
    expect(found(en, rule)).toEqual([]);
  });

  it.each(ZH)('in Chinese: not %s but %s', (...rule) => {
    expect(found(zh, rule)).toEqual([]);
  });
});
