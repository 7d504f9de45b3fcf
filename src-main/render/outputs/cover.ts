import { zlibSync } from 'fflate';

/** In pixels. E-readers show covers in this shape. */
const [WIDTH, HEIGHT] = [600, 800];
const MARGIN = 40;
const PAPER = [0xfa, 0xf7, 0xf0] as const;
const INK = [0x1f, 0x1d, 0x1a] as const;
const RED = [0xb3, 0x26, 0x1e] as const;
/** Steps from paper to ink; then red. */
const STEPS = 32;
const GREY = 6;

/** Lines of points, each with two hexadecimal digits: 8 wide, 12 high. There are no fonts here to draw with. */
const GLYPHS: Readonly<Record<string, string>> = {
  0: '20 60 82 8a 6c 2c 0a 02 20',
  1: '13 40 4c|1c 7c',
  2: '02 20 60 82 84 0c 8c',
  3: '02 20 60 82 84 66 88 8a 6c 2c 0a|36 66',
  4: '60 08 88|65 6c',
  5: '80 10 15 65 87 8a 6c 2c 0a',
  6: '71 60 20 02 0a 2c 6c 8a 88 66 26 08',
  7: '00 80 3c',
  8: '26 04 02 20 60 82 84 66 26 08 0a 2c 6c 8a 88 66',
  9: '1b 2c 6c 8a 82 60 20 02 04 26 66 84',
  '-': '16 76',
  A: '0c 40 8c|18 78',
  B: '66 88 8a 6c 0c 00 60 82 84 66 06',
  D: '00 50 83 89 5c 0c 00',
  E: '80 00 0c 8c|06 66',
  H: '00 0c|80 8c|06 86',
  O: '20 60 82 8a 6c 2c 0a 02 20',
  R: '0c 00 60 82 84 66 06|46 8c',
  S: '82 60 20 02 04 26 66 88 8a 6c 2c 0a',
  T: '00 80|40 4c',
  W: '00 2c 44 6c 80',
};

type Point = readonly [x: number, y: number];

/** Draws a front page with lines of dates, weeks or months, as PNG: not all e-readers show SVG. */
export function drawCover(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  write(pixels, 'BROADSHEET', 90, 62, 7);
  fill(pixels, MARGIN, 184, WIDTH - 2 * MARGIN, 8, STEPS);
  fill(pixels, MARGIN, 198, WIDTH - 2 * MARGIN, 2, STEPS - 1);
  for (const [at, text] of lines.entries()) write(pixels, text, 250 + at * 100, 68, 7);
  const top = 250 + lines.length * 100 + 10;
  for (let y = top; y < HEIGHT - MARGIN; y += 26) {
    for (const column of [0, 1, 2]) {
      const isLast = y + 26 >= HEIGHT - MARGIN;
      fill(pixels, MARGIN + column * 180, y, isLast ? 100 : 160, 10, GREY);
    }
  }
  return toPng(pixels);
}

function write(pixels: Uint8Array, text: string, top: number, height: number, stroke: number): void {
  const advance = Math.min(54, (WIDTH - 2 * MARGIN - stroke) / (text.length - 0.3));
  for (const [at, letter] of [...text].entries()) {
    const pointOf = (pair: string): Point => [
      MARGIN + stroke / 2 + at * advance + (Number.parseInt(pair[0] ?? '', 16) / 8) * advance * 0.7,
      top + (Number.parseInt(pair[1] ?? '', 16) / 12) * height,
    ];
    for (const line of (GLYPHS[letter] ?? '').split('|')) {
      const points = line.split(' ').filter(Boolean).map(pointOf);
      for (const [next, end] of points.slice(1).entries()) drawLine(pixels, points[next] ?? end, end, stroke / 2);
    }
  }
}

function drawLine(pixels: Uint8Array, from: Point, to: Point, half: number): void {
  const [left, right] = [Math.min(from[0], to[0]) - half - 1, Math.max(from[0], to[0]) + half + 1];
  const [top, bottom] = [Math.min(from[1], to[1]) - half - 1, Math.max(from[1], to[1]) + half + 1];
  for (let y = Math.floor(top); y <= bottom; y += 1) {
    for (let x = Math.floor(left); x <= right; x += 1) {
      const cover = Math.max(0, Math.min(1, half + 0.5 - distanceTo(x, y, from, to)));
      const at = y * WIDTH + x;
      pixels[at] = Math.max(pixels[at] ?? 0, Math.round(cover * (STEPS - 1)));
    }
  }
}

function distanceTo(x: number, y: number, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const [width, height] = [toX - fromX, toY - fromY];
  const along = ((x - fromX) * width + (y - fromY) * height) / (width * width + height * height);
  const part = Math.max(0, Math.min(1, along));
  return Math.sqrt((x - fromX - part * width) ** 2 + (y - fromY - part * height) ** 2);
}

function fill(pixels: Uint8Array, left: number, top: number, width: number, height: number, color: number): void {
  for (let y = top; y < top + height; y += 1) pixels.fill(color, y * WIDTH + left, y * WIDTH + left + width);
}

/** PNG (third edition), with a palette. */
function toPng(pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const ramp = Array.from({ length: STEPS }, (_, step) =>
    PAPER.map((paper, at) => Math.round(paper + (((INK[at] ?? 0) - paper) * step) / (STEPS - 1))),
  );
  const rows = new Uint8Array((WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) rows.set(pixels.subarray(y * WIDTH, (y + 1) * WIDTH), y * (WIDTH + 1) + 1);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, WIDTH);
  view.setUint32(4, HEIGHT);
  header.set([8, 3], 8);
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from([...ramp, RED].flat())),
    chunk('IDAT', zlibSync(rows)),
    chunk('IEND', new Uint8Array()),
  ];
  return Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...chunks.flatMap((bytes) => [...bytes])]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
