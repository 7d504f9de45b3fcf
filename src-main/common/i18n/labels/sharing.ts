import { m } from '../messages.ts';

export const shareFormatNames = {
  link: m.share_formats_link,
  titleAndLink: m.share_formats_title_and_link,
  markdown: m.share_formats_markdown,
  citation: m.share_formats_citation,
  text: m.share_formats_text,
};

export const shareFormatsDone = {
  link: m.article_copied,
  titleAndLink: m.share_done_title_and_link,
  markdown: m.share_done_markdown,
  citation: m.share_done_citation,
  text: m.share_done_text,
};
