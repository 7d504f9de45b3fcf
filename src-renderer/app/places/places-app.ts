import type { Wire } from '../../../src-main/contract/wire.ts';
import type { FeedState } from '../../features/feed/index.ts';
import type { FrontPageState } from '../../features/front-page/index.ts';
import type { ReadingState } from '../../features/reading/index.ts';
import type { FocusRegions } from '../../ui/focus-regions.ts';
import type { ItemsState } from '../items.svelte.ts';
import type { LayoutState } from '../layout.svelte.ts';
import type { Navigation } from '../navigation/navigation.ts';
import type { ViewsState } from '../views.svelte.ts';

export interface PlacesApp {
  readonly wire: Wire;
  readonly feed: FeedState;
  readonly focus: FocusRegions;
  readonly front: FrontPageState;
  readonly items: ItemsState;
  readonly layout: LayoutState;
  readonly navigation: Navigation;
  readonly reading: ReadingState;
  readonly views: ViewsState;
}
