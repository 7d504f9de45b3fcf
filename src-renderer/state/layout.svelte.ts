export type Layout = 'one' | 'two' | 'three';

const TWO_PANES = '(min-width: 700px)';
const THREE_PANES = '(min-width: 1100px)';

/** How many panes the window has room for. The same widths are in `App.svelte`'s style. */
export class LayoutState {
  #panes = $state<Layout>('three');

  constructor() {
    if (typeof window.matchMedia !== 'function') return;
    const [two, three] = [window.matchMedia(TWO_PANES), window.matchMedia(THREE_PANES)];
    const measure = (): void => {
      this.#panes = three.matches ? 'three' : two.matches ? 'two' : 'one';
    };
    two.addEventListener('change', measure);
    three.addEventListener('change', measure);
    measure();
  }

  get panes(): Layout {
    return this.#panes;
  }
}
