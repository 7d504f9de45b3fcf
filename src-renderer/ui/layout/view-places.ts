import { getContext, setContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { Place } from '../focus-regions.ts';
import { pageContext } from '../page-context.ts';

const VIEW = Symbol('view');

/** Names the view for everything in it. Returns a function that registers its panes for the focus. */
export function startView(name: () => string): (place: Place) => Attachment<HTMLElement> {
  const { focus } = pageContext();
  const place = (place: Place): Attachment<HTMLElement> => focus.place(name(), place);
  setContext(VIEW, place);
  return place;
}

/** Registers an element as a place of its view. Outside of a view it does nothing. */
export function placeInView(place: Place): Attachment<HTMLElement> | undefined {
  return getContext<((place: Place) => Attachment<HTMLElement>) | undefined>(VIEW)?.(place);
}
