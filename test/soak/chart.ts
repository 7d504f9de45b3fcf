import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { Sample } from './judge.ts';

const WIDTH = 960;
const HEIGHT = 300;
const EDGE = { left: 64, right: 96, top: 28, bottom: 36 };

/** The memory of the app and the heap of its page over the run, as SVG. */
export function soakChart(samples: readonly Sample[]): string {
  const series = [
    { name: 'app', values: samples.map(({ rss }) => rss / 1e6) },
    { name: 'page', values: samples.map(({ pageHeap }) => pageHeap / 1e6) },
  ];
  const minutes = samples.map(({ at }) => at / 60_000);
  const x = scaleLinear([0, Math.max(...minutes)], [EDGE.left, WIDTH - EDGE.right]);
  const most = Math.max(...series.flatMap(({ values }) => values));
  const y = scaleLinear([0, most], [HEIGHT - EDGE.bottom, EDGE.top]).nice();
  const levels = y.ticks(5).map((level) => {
    const at = y(level).toFixed(1);
    return `<path class="grid" d="M${String(EDGE.left)},${at}H${String(WIDTH - EDGE.right)}"/><text x="${String(EDGE.left - 8)}" y="${at}" dy="4" text-anchor="end">${String(level)}</text>`;
  });
  const times = x.ticks(5).map((minute) => {
    return `<text x="${x(minute).toFixed(1)}" y="${String(HEIGHT - EDGE.bottom + 18)}" text-anchor="middle">${String(minute)} min</text>`;
  });
  const drawn = series.map(({ name, values }) => {
    const path = line<number>(
      (_, index) => x(minutes[index]!),
      (value) => y(value),
    )(values);
    const end = y(values.at(-1)!).toFixed(1);
    return `<path class="series" d="${path ?? ''}"/><text x="${String(WIDTH - EDGE.right + 8)}" y="${end}" dy="4">${name}</text>`;
  });
  const title = 'Memory of the app, and heap of its page after a collection of garbage, in MB';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" role="img" aria-label="${title}">
<style>svg{background:#fcfbf8}text{font:12px system-ui,sans-serif;fill:#524d46}.grid{stroke:#ddd8cb;fill:none}.series{stroke:#97291c;fill:none}@media(prefers-color-scheme:dark){svg{background:#1b1a18}text{fill:#bdb7ac}.grid{stroke:#312e2a}.series{stroke:#f2a18e}}</style>
<text x="${String(EDGE.left)}" y="16">${title}</text>
${[...levels, ...times, ...drawn].join('\n')}
</svg>
`;
}
