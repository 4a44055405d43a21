import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

interface ChartProps {
  /** Of what is drawn: another one is drawn anew. */
  readonly name: string;
  /** The chart's content as text, for screen readers. */
  readonly label: string;
  /** Days, `YYYY-MM-DD`. */
  readonly dates: readonly string[];
  readonly values: readonly number[];
  /** Of the period before, day by day beside the values. */
  readonly previous: readonly number[];
  readonly format: (value: number) => string;
  /** The day under the pointer; undefined when it is elsewhere. */
  readonly onDay: (index: number | undefined) => void;
}

const HEIGHT = 260;

/** Values over days, with the period before behind them. Its colours are those of the page, light or dark. */
export function Chart({ name, label, dates, values, previous, format, onDay }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = place.current!;
    const draw = () => {
      element.replaceChildren();
      const options = optionsFor(element, format, onDay);
      const seconds = dates.map((date) => Date.parse(date) / 1000);
      return new uPlot(options, [seconds, [...previous], [...values]], element);
    };
    let chart = draw();
    const redraw = () => {
      chart.destroy();
      chart = draw();
    };
    const resize = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    resize.observe(element);
    scheme.addEventListener('change', redraw);
    return () => {
      resize.disconnect();
      scheme.removeEventListener('change', redraw);
      chart.destroy();
    };
  }, [name, dates, values, previous]);

  return (
    <div class="chart">
      <div ref={place} role="img" aria-label={label} />
    </div>
  );
}

type Text = (value: number) => string;

function optionsFor(element: HTMLElement, format: Text, onDay: ChartProps['onDay']): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--muted'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    // Days are days of UTC, wherever the browser is.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    padding: [12, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? undefined)] },
    // Counts have no halves: an axis of less than five would show them.
    scales: { y: { range: (_, least, most) => [Math.min(0, least), Math.max(5, most) * 1.1] } },
    axes: [
      { ...axis, grid: { show: false }, values: '{MMM} {D}', space: 70, size: 32 },
      { ...axis, size: 56, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      { stroke: colour('--muted'), width: 1.5, dash: [4, 4], points: { show: false } },
      { stroke: colour('--accent'), fill: colour('--accent-soft'), width: 2, points: { show: false } },
    ],
  };
}
