import { m } from '../messages.ts';

export const storiesLists = {
  hot: m.stories_lists_hot,
  followed: m.stories_lists_followed,
  starred: m.stories_lists_starred,
  all: m.stories_lists_all,
};

export const storiesStatuses = {
  active: m.stories_statuses_active,
  settled: m.stories_statuses_settled,
};

export const storiesEmptyTexts = {
  hot: m.stories_empty_texts_hot,
  followed: m.stories_empty_texts_followed,
  starred: m.stories_empty_texts_starred,
  all: m.stories_empty_texts_all,
};

export const storiesEmptyTitles = {
  hot: m.stories_empty_titles_hot,
  followed: m.stories_empty_titles_followed,
  starred: m.stories_empty_titles_starred,
  all: m.stories_empty_titles_all,
};
