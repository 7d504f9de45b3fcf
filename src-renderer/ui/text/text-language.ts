export { textLanguage, type TextLanguage } from '../../../src-main/common/text.ts';
