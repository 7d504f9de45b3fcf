/** Characters that can't begin a line, and those that can't end one (Chinese and Latin). */
const NO_START = /^[\p{Pe}\p{Pf},.;:!?%、。，．：；！？…—～·ー”’]/u;
const NO_END = /[\p{Ps}\p{Pi}“‘]$/u;
const HAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;

/** Returns the width of a text in px. */
export type Measure = (text: string) => number;

/** Splits a text where a line may break: words with the space after them, and single Chinese characters. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const part of text.match(
    /\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana}|\s+|[^\s\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]+/gu,
  ) ?? []) {
    const before = parts.at(-1);
    const joins = before !== undefined && (NO_START.test(part) || /^\s+$/.test(part) || NO_END.test(before));
    if (joins) parts[parts.length - 1] = before + (/^\s+$/.test(part) ? ' ' : part);
    else parts.push(part);
  }
  return parts;
}

/** Breaks a text into lines of at most this width in px. A word that is wider is broken anywhere. */
export function breakLines(text: string, width: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of partsOf(text.trim())) {
    if (measure((line + part).trimEnd()) <= width) {
      line += part;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    line = '';
    for (const sign of part) {
      if (line !== '' && measure((line + sign).trimEnd()) > width) {
        lines.push(line.trimEnd());
        line = '';
      }
      line += sign;
    }
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()];
}

/** Finds the largest size in px, from `largest` down to `smallest`, at which a text fits into a box, and its lines. */
export function fitText(
  text: string,
  box: { width: number; height: number; largest: number; smallest: number; leading: number },
  measureAt: (size: number) => Measure,
): { size: number; lines: string[] } {
  for (let size = box.largest; ; size -= size > 32 ? 4 : 1) {
    const lines = breakLines(text, box.width, measureAt(size));
    if (lines.length * size * box.leading <= box.height || size <= box.smallest) return { size, lines };
  }
}

/** Returns the first lines of a text, the last of them with an ellipsis if there are more. */
export function cutLines(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  const last = lines[most - 1] ?? '';
  return [
    ...lines.slice(0, most - 1),
    `${last
      .slice(0, HAN.test(last) ? -1 : -2)
      .toWellFormed()
      .trimEnd()}…`,
  ];
}

/** The content of a card. Texts are plain and on one line. */
export interface Card {
  title: string;
  kicker: string;
  /** Below the title: source and date. */
  facts: string;
  attribution: string;
  app: string;
  /** The stories of a daily; none for an item. */
  entries: readonly string[];
  /** The text about entries that did not fit. */
  more: (count: number) => string;
  /** The language of the texts, which decides the fonts. */
  lang: string;
}

const WIDTH = 1200;
const ITEM_HEIGHT = 630;
const DAILY_HEIGHT = 1600;
const EDGE = 72;
const INNER = WIDTH - 2 * EDGE;

interface Look {
  paper: string;
  ink: string;
  soft: string;
  faint: string;
  accent: string;
  rule: string;
  serif: string;
  sans: string;
}

/** Draws a card with the page's fonts and colours, light or dark as the page is. Loads nothing from elsewhere. */
export async function drawCard(card: Card): Promise<HTMLCanvasElement> {
  const look = lookOf(card.lang);
  const texts = [card.title, card.kicker, card.facts, card.attribution, card.app, ...card.entries].join(' ');
  // A font that can't be loaded is replaced by the next one of its family.
  await Promise.allSettled([
    document.fonts.load(`700 48px ${look.serif}`, texts),
    document.fonts.load(`400 32px ${look.serif}`, texts),
    document.fonts.load(`600 26px ${look.sans}`, texts),
  ]);
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = card.entries.length > 0 ? DAILY_HEIGHT : ITEM_HEIGHT;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas to draw on.');
  new Drawing(context, look, canvas.height).draw(card);
  return canvas;
}

class Drawing {
  readonly #context: CanvasRenderingContext2D;
  readonly #look: Look;
  readonly #height: number;

  constructor(context: CanvasRenderingContext2D, look: Look, height: number) {
    this.#context = context;
    this.#look = look;
    this.#height = height;
  }

  draw(card: Card): void {
    const { paper, accent, ink, soft, faint, rule, serif, sans } = this.#look;
    const bottom = this.#height - 116;
    this.#box(paper, 0, 0, WIDTH, this.#height);
    this.#box(accent, 0, 0, WIDTH, 12);
    this.#line(card.kicker, { font: `650 28px ${sans}`, colour: accent, y: 96 });
    const isDaily = card.entries.length > 0;
    const box = { width: INNER, height: isDaily ? 300 : bottom - 210, largest: 68, smallest: 12, leading: 1.28 };
    const fitted = fitText(card.title, box, (size) => this.#measure(`700 ${size}px ${serif}`));
    let y = 126;
    for (const text of fitted.lines) {
      y += fitted.size * box.leading;
      this.#line(text, { font: `700 ${fitted.size}px ${serif}`, colour: ink, y: y - fitted.size * 0.28 });
    }
    this.#line(card.facts, { font: `500 28px ${sans}`, colour: soft, y: y + 48 });
    if (isDaily) this.#entries(card, y + 100, bottom - 20);
    this.#box(rule, EDGE, bottom, INNER, 2);
    this.#line(card.app, { font: `700 32px ${serif}`, colour: ink, y: bottom + 62, most: INNER / 3 });
    this.#line(card.attribution, {
      font: `400 24px ${sans}`,
      colour: faint,
      y: bottom + 60,
      end: true,
      most: (INNER * 2) / 3 - 24,
    });
  }

  #entries(card: Card, from: number, to: number): void {
    const { ink, soft, rule, serif, sans } = this.#look;
    const font = `400 32px ${serif}`;
    let y = from;
    for (const [index, entry] of card.entries.entries()) {
      const lines = cutLines(breakLines(entry, INNER, this.#measure(font)), 2);
      const left = card.entries.length - index;
      const room = to - (left > 1 ? 60 : 0);
      if (y + 28 + lines.length * 44 > room) {
        this.#line(card.more(left), { font: `500 26px ${sans}`, colour: soft, y: y + 44 });
        return;
      }
      this.#box(rule, EDGE, y, INNER, 1);
      lines.forEach((line, at) => this.#line(line, { font, colour: ink, y: y + 50 + at * 44 }));
      y += 28 + lines.length * 44;
    }
  }

  #measure(font: string): Measure {
    return (text) => {
      this.#context.font = font;
      return this.#context.measureText(text).width;
    };
  }

  #box(colour: string, x: number, y: number, width: number, height: number): void {
    this.#context.fillStyle = colour;
    this.#context.fillRect(x, y, width, height);
  }

  /** Draws one line, cut where it is wider than `most`. */
  #line(
    text: string,
    {
      font,
      colour,
      y,
      most = INNER,
      end = false,
    }: { font: string; colour: string; y: number; most?: number; end?: boolean },
  ): void {
    const [line = ''] = cutLines(breakLines(text, most, this.#measure(font)), 1);
    this.#context.font = font;
    this.#context.fillStyle = colour;
    this.#context.textAlign = end ? 'right' : 'left';
    this.#context.fillText(line, end ? WIDTH - EDGE : EDGE, y);
  }
}

/** Returns the fonts for a language, and the current colours of the page. */
function lookOf(lang: string): Look {
  const probe = document.createElement('span');
  probe.lang = lang;
  probe.hidden = true;
  document.body.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const font = (name: string): string => {
    probe.style.fontFamily = `var(--${name})`;
    return getComputedStyle(probe).fontFamily;
  };
  const look = {
    paper: colour('paper'),
    ink: colour('ink'),
    soft: colour('ink-soft'),
    faint: colour('ink-faint'),
    accent: colour('accent'),
    rule: colour('rule'),
    serif: font('serif'),
    sans: font('sans'),
  };
  probe.remove();
  return look;
}
