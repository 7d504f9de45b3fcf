import { describe, expect, it } from 'vitest';
import { categoryName } from '../../../src-main/common/i18n/labels.ts';
import { language } from '../../../src-renderer/ui/language.svelte.ts';

describe('names of categories', () => {
  it('are those of the language, and an unknown one is shown as it is', () => {
    language.use('zh-CN', 'zh-CN');
    expect(categoryName('paper')).toBe('论文');
    language.use('en', 'en-GB');
    expect(categoryName('robotics')).toBe('robotics');
    expect(categoryName('constructor')).toBe('constructor');
    expect(categoryName(null)).toBe('Other');
  });
});
