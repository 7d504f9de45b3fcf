import { scaleBand, scaleLog } from 'd3-scale';
import type { Figure } from './compare.ts';

const WIDTH = 960;
const EDGE = { left: 330, right: 56, top: 44, bottom: 16 };
const BAR = 12;

/** The ratio to the floor of each line that has one, at every size, as SVG. Worst cases are left to the tables. */
export function performanceChart(figures: readonly Figure[]): string {
  const shown = figures.filter(({ work, ratio }) => ratio !== null && ratio > 0 && !/worst|longest/.test(work));
  const works = [...new Set(shown.map(({ work }) => work))];
  const parts = [...new Set(shown.map(({ part }) => part))];
  const height = EDGE.top + EDGE.bottom + works.length * (parts.length * BAR + 10);
  const ratios = shown.map(({ ratio }) => ratio ?? 1);
  const x = scaleLog([Math.min(0.5, ...ratios), Math.max(2, ...ratios)], [EDGE.left, WIDTH - EDGE.right]);
  const y = scaleBand(works, [EDGE.top, height - EDGE.bottom]).paddingInner(10 / (parts.length * BAR + 10));
  const bars = shown.map(({ part, work, ratio }) => {
    const index = parts.indexOf(part);
    const top = (y(work) ?? 0) + index * BAR;
    const [from, to] = [x(1), x(ratio ?? 1)].toSorted((a, b) => a - b) as [number, number];
    return `<rect class="size${String(index)}" x="${from.toFixed(1)}" y="${top.toFixed(1)}" width="${Math.max(1, to - from).toFixed(1)}" height="${String(BAR - 2)}"/><text x="${(to + 6).toFixed(1)}" y="${(top + BAR / 2 - 1).toFixed(1)}" dy="4">${(ratio ?? 1).toFixed(2)}</text>`;
  });
  const names = works.map((work) => {
    const middle = (y(work) ?? 0) + (parts.length * BAR) / 2;
    return `<text x="${String(EDGE.left - 60)}" y="${middle.toFixed(1)}" dy="4" text-anchor="end">${work.replace(/, (?:ms|MB)$/, '')}</text>`;
  });
  const key = parts.map((part, index) => {
    const left = EDGE.left + index * 130;
    return `<rect class="size${String(index)}" x="${String(left)}" y="24" width="10" height="10"/><text x="${String(left + 16)}" y="33">${part}</text>`;
  });
  const title = 'Broadsheet’s time or memory divided by that of the plainest program (1: the same; logarithmic)';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(height)}" role="img" aria-label="${title}">
<style>svg{background:#fcfbf8}text{font:11px system-ui,sans-serif;fill:#524d46}.one{stroke:#524d46}.size0{fill:#e0b3a8}.size1{fill:#c06a5b}.size2{fill:#97291c}@media(prefers-color-scheme:dark){svg{background:#1b1a18}text{fill:#bdb7ac}.one{stroke:#bdb7ac}.size0{fill:#6b4038}.size1{fill:#b06a5b}.size2{fill:#f2a18e}}</style>
<text x="16" y="16">${title}</text>
<path class="one" d="M${x(1).toFixed(1)},${String(EDGE.top - 4)}V${String(height - EDGE.bottom)}"/>
${[...key, ...names, ...bars].join('\n')}
</svg>
`;
}
