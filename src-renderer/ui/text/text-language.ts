export { textLanguage, type TextLanguage } from '../../../src-main/common/text-language.ts';
