export type Layout = 'one' | 'two' | 'three';

const TWO_PANES = '(min-width: 700px)';
const THREE_PANES = '(min-width: 1100px)';
/** Room for a page beside a table that has all of the window but the sidebar. */
const WIDE = '(min-width: 1240px)';

type MediaTriple = [MediaQueryList, MediaQueryList, MediaQueryList];

/** How many panes the window has room for. The same widths are in `App.svelte`'s style. */
export class LayoutState {
  #panes = $state<Layout>('three');
  #wide = $state(true);

  constructor() {
    if (typeof window.matchMedia !== 'function') return;
    const [two, three, wide] = [TWO_PANES, THREE_PANES, WIDE].map((query) => window.matchMedia(query)) as MediaTriple;
    const measure = (): void => {
      this.#wide = wide.matches;
      this.#panes = three.matches ? 'three' : two.matches ? 'two' : 'one';
    };
    two.addEventListener('change', measure);
    three.addEventListener('change', measure);
    wide.addEventListener('change', measure);
    measure();
  }

  get panes(): Layout {
    return this.#panes;
  }
  get wide(): boolean {
    return this.#wide;
  }
}
