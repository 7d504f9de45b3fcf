// Speeds up queries by role, which need two facts about many elements that are slow in jsdom: if an element is
// displayed, for which jsdom tries each rule of its style sheet, and its labels, for which it walks through the whole
// document. Both are computed here from the few things that decide them. `quick-dom.test.ts` compares the results with
// those of jsdom.

/** The function of jsdom itself. */
export const wholeStyle: typeof getComputedStyle = globalThis.getComputedStyle.bind(globalThis);

/** Other elements are never `visibility: collapse` in jsdom's style sheet. */
const collapsed = new Set(['col', 'colgroup', 'tbody', 'tfoot', 'thead', 'tr']);

/** Values of `display` in jsdom's style sheet, by the tag and the attributes that decide them. */
const displays = new Map<string, string>();

function styled(element: Element, property: string): boolean {
  return element.getAttribute('style')?.includes(property) === true;
}

/** `null` if more than the tag and these attributes decides. */
function displayKey(element: Element): string | null {
  const tag = element.localName;
  if (tag === 'summary' || element.hasAttribute('popover') || styled(element, 'display')) return null;
  const hidden = element.getAttribute('hidden');
  const key = hidden === null ? tag : `${tag} hidden=${hidden}`;
  if (tag === 'dialog') return element.hasAttribute('open') ? `${key} open` : key;
  return tag === 'input' ? `${key} type=${element.getAttribute('type') ?? ''}` : key;
}

function displayOf(element: Element): string {
  const key = displayKey(element);
  if (key === null) return wholeStyle(element).display;
  const known = displays.get(key) ?? wholeStyle(element).display;
  displays.set(key, known);
  return known;
}

function visibilityOf(element: Element): string {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    if (styled(at, 'visibility') || (at.hasAttribute('hidden') && collapsed.has(at.localName)))
      return wholeStyle(element).visibility;
  }
  return 'visible';
}

function quickProperty(element: Element, name: string | symbol): string | null {
  if (name === 'display') return displayOf(element);
  return name === 'visibility' ? visibilityOf(element) : null;
}

const noStyle = document.createElement('span').style;

/** Like `getComputedStyle` of a page without its own style sheets; `display` and `visibility` are cheap. */
function quickStyle(element: Element, pseudoElement?: string | null): CSSStyleDeclaration {
  if ((pseudoElement !== undefined && pseudoElement !== null) || document.styleSheets.length > 0)
    return wholeStyle(element, pseudoElement);
  return new Proxy(noStyle, {
    get(_, name) {
      const quick = quickProperty(element, name);
      if (quick !== null) return quick;
      if (name === 'getPropertyValue') {
        return (property: string) => quickProperty(element, property) ?? wholeStyle(element).getPropertyValue(property);
      }
      const style = wholeStyle(element);
      const value: unknown = Reflect.get(style, name);
      return typeof value === 'function' ? (value.bind(style) as unknown) : value;
    },
  });
}

type LabelsOf = (element: Element) => NodeListOf<HTMLLabelElement> | null;

/** Calls `labels` as jsdom has it, by the class of the element. */
const wholeLabels = new Map<object, LabelsOf>();

function mayLabel(label: HTMLLabelElement, element: Element): boolean {
  const id = label.getAttribute('for');
  return id === null ? label.contains(element) : id === element.id;
}

/** The labels of an element, in the order of the document. Those of a hidden field are `null`, as in a browser. */
function quickLabels(this: HTMLElement): readonly HTMLLabelElement[] | NodeListOf<HTMLLabelElement> | null {
  const isHiddenField = this instanceof HTMLInputElement && this.type === 'hidden';
  if (isHiddenField || !document.contains(this))
    return wholeLabels.get(Object.getPrototypeOf(this) as object)?.(this) ?? null;
  const labels = Array.from(document.getElementsByTagName('label'));
  return labels.filter((label) => mayLabel(label, this) && label.control === this);
}

const labelable = [
  HTMLButtonElement,
  HTMLInputElement,
  HTMLMeterElement,
  HTMLOutputElement,
  HTMLProgressElement,
  HTMLSelectElement,
  HTMLTextAreaElement,
];

/** Returns the labels of jsdom itself. */
export function labelsOfJsdom(element: Element): readonly HTMLLabelElement[] | null {
  const labels = wholeLabels.get(Object.getPrototypeOf(element) as object)?.(element);
  return labels ? Array.from(labels) : null;
}

function replaceLabels({ prototype }: (typeof labelable)[number]): void {
  const labels = Object.getOwnPropertyDescriptor(prototype, 'labels');
  if (labels?.get === undefined) throw new Error(`${prototype.constructor.name} has no labels.`);
  const get = labels.get;
  wholeLabels.set(prototype, (element) => get.call(element) as NodeListOf<HTMLLabelElement> | null);
  Object.defineProperty(prototype, 'labels', { ...labels, get: quickLabels });
}

/** Does nothing the second time: the files of a process share one jsdom. */
export function answerQuickly(): void {
  if (globalThis.getComputedStyle === quickStyle) return;
  globalThis.getComputedStyle = quickStyle;
  for (const element of labelable) replaceLabels(element);
}
