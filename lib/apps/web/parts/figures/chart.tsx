import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

interface ChartProps {
  /** The chart's content as text, for screen readers. */
  readonly label: string;
  /** Days, `YYYY-MM-DD`. A new array redraws the chart, as do new values. */
  readonly dates: readonly string[];
  readonly values: readonly number[];
  /** Values of the previous period, day by day. */
  readonly previous: readonly number[];
  /** The last day is not over: its line is dashed. */
  readonly isOpen?: boolean;
  readonly format: (value: number) => string;
  /** The tooltip for the day at the pointer. */
  readonly tooltip: (index: number) => ComponentChildren;
}

const HEIGHT = 260;

/** The point of a day, in pixels from the top left of the chart. */
interface Point {
  readonly index: number;
  readonly left: number;
  readonly top: number;
  /** True in the right half, where the tooltip must be placed to the left. */
  readonly isLate: boolean;
}

/**
 * A chart of values over days, with the previous period in the background. It has the colours of the page, light or
 * dark.
 */
export function Chart({ label, dates, values, previous, isOpen = false, format, tooltip }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState<Point>();

  useLayoutEffect(() => {
    const element = place.current!;
    const draw = () => {
      element.replaceChildren();
      setPoint(undefined);
      const options = optionsFor(element, format, setPoint);
      const seconds = dates.map((date) => Date.parse(date) / 1000);
      // The last day is a separate line, from the day before it.
      const openDay = isOpen ? values.length - 1 : values.length;
      const ended = values.map((value, day) => (day < openDay ? value : null));
      const open = values.map((value, day) => (isOpen && day >= openDay - 1 ? value : null));
      return new uPlot(options, [seconds, [...previous], ended, open], element);
    };
    let chart = draw();
    const redraw = () => {
      chart.destroy();
      chart = draw();
    };
    const resize = new ResizeObserver(() => {
      const width = element.clientWidth;
      // The observer also reports the initial size, for which the chart is already drawn.
      if (width !== chart.width) chart.setSize({ width, height: HEIGHT });
    });
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    resize.observe(element);
    scheme.addEventListener('change', redraw);
    return () => {
      resize.disconnect();
      scheme.removeEventListener('change', redraw);
      chart.destroy();
    };
  }, [dates, values, previous, isOpen]);

  return (
    <div class="chart">
      <div class="chart-place">
        <div ref={place} role="img" aria-label={label} />
        {point && (
          <div
            class={`chart-tooltip ${point.isLate ? 'late' : ''}`}
            style={{ left: `${point.left}px`, top: `${point.top}px` }}
            aria-hidden="true"
          >
            {tooltip(point.index)}
          </div>
        )}
      </div>
    </div>
  );
}

/** The point of the day at the pointer. @returns undefined if the pointer is elsewhere */
function pointIn(plot: uPlot): Point | undefined {
  const { cursor, data, over } = plot;
  const index = cursor.idx ?? -1;
  const day = data[0][index];
  const value = data[VALUES]?.[index] ?? data[OPEN_DAY]?.[index];
  if (day === undefined || value == null) return undefined;
  const left = plot.valToPos(day, 'x');
  const top = over.offsetTop + plot.valToPos(value, 'y');
  return { index, left: over.offsetLeft + left, top, isLate: left > over.clientWidth / 2 };
}

/** Index of the values in the chart's data, after the days and the previous period. */
const VALUES = 2;
/** Index of the values of a day that is not over, and of the day before it. */
const OPEN_DAY = 3;

type Text = (value: number) => string;

function optionsFor(element: HTMLElement, format: Text, onPoint: (point: Point | undefined) => void): uPlot.Options {
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
    // Days are UTC days in any time zone.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    padding: [12, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    hooks: { setCursor: [(plot) => onPoint(pointIn(plot))] },
    // The axis reaches at least 5, because lower counts would otherwise get an axis with halves.
    scales: { y: { range: (_, least, most) => [Math.min(0, least), Math.max(5, most) * 1.1] } },
    axes: [
      { ...axis, grid: { show: false }, values: '{MMM} {D}', space: 70, size: 32 },
      { ...axis, size: 56, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      { stroke: colour('--muted'), width: 1.5, dash: [4, 4], points: { show: false } },
      { stroke: colour('--accent'), fill: colour('--accent-soft'), width: 2, points: { show: false } },
      { stroke: colour('--accent'), width: 2, dash: [2, 4], points: { show: false } },
    ],
  };
}
