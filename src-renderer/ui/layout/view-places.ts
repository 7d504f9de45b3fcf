import { getContext, setContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { Place } from '../focus-regions.ts';
import { pageContext } from '../page-context.ts';

const VIEW = Symbol('view');

interface View {
  readonly place: (place: Place) => Attachment<HTMLElement>;
  readonly isShown: () => boolean;
}

/** Names the view for everything in it. Returns a function that registers its panes for the focus. */
export function startView(name: () => string, isShown = () => true): (place: Place) => Attachment<HTMLElement> {
  const { focus } = pageContext();
  const place = (place: Place): Attachment<HTMLElement> => focus.place(name(), place);
  setContext<View>(VIEW, { place, isShown });
  return place;
}

/** Registers an element as a place of its view. Outside of a view it does nothing. */
export function placeInView(place: Place): Attachment<HTMLElement> | undefined {
  return getContext<View | undefined>(VIEW)?.place(place);
}

/** Returns a function that says if the view is shown: a hidden one stays as it is, and reads nothing. */
export function viewShown(): () => boolean {
  return getContext<View | undefined>(VIEW)?.isShown ?? (() => true);
}
