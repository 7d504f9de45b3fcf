import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';

interface Point {
  /** Hours since the start. */
  hour: number;
  mean: number;
  most: number;
}

const WIDTH = 960;
const HEIGHT = 300;
const EDGE = { left: 64, right: 16, top: 28, bottom: 36 };
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Requests per second over the week as SVG: the mean as an area, the busiest second of each span as a line. */
export function chartOf(points: readonly Point[], title: string): string {
  const hours = points.at(-1)?.hour ?? 0;
  const x = scaleLinear([0, hours], [EDGE.left, WIDTH - EDGE.right]);
  const most = Math.max(...points.map((point) => point.most));
  const y = scaleLinear([0, most], [HEIGHT - EDGE.bottom, EDGE.top]).nice();
  const means = area<Point>(
    (point) => x(point.hour),
    y(0),
    (point) => y(point.mean),
  )([...points]);
  const peaks = line<Point>(
    (point) => x(point.hour),
    (point) => y(point.most),
  )([...points]);
  const levels = y.ticks(5).map((level) => {
    const at = y(level).toFixed(1);
    return `<path class="grid" d="M${String(EDGE.left)},${at}H${String(WIDTH - EDGE.right)}"/><text x="${String(EDGE.left - 8)}" y="${at}" dy="4" text-anchor="end">${level.toLocaleString('en-GB')}</text>`;
  });
  const days = DAYS.filter((_, day) => day * 24 < hours).map((day, index) => {
    const at = x(index * 24 + 8).toFixed(1);
    return `<path class="grid" d="M${at},${String(EDGE.top)}V${String(HEIGHT - EDGE.bottom)}"/><text x="${at}" y="${String(HEIGHT - EDGE.bottom + 18)}" text-anchor="middle">${day} 08:00</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" role="img" aria-label="${title}">
<style>svg{background:#fcfbf8}text{font:12px system-ui,sans-serif;fill:#524d46}.grid{stroke:#ddd8cb;fill:none}.mean{fill:#97291c;fill-opacity:.25}.most{stroke:#97291c;fill:none}@media(prefers-color-scheme:dark){svg{background:#1b1a18}text{fill:#bdb7ac}.grid{stroke:#312e2a}.mean{fill:#f2a18e}.most{stroke:#f2a18e}}</style>
<text x="${String(EDGE.left)}" y="16">${title}</text>
${[...levels, ...days].join('\n')}
<path class="mean" d="${means ?? ''}"/>
<path class="most" d="${peaks ?? ''}"/>
</svg>
`;
}
