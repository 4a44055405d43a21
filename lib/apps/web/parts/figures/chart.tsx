import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { shortDateText } from '#lib/apps/web/format.ts';
import { ticksFor } from '#lib/apps/web/parts/figures/axis.ts';

interface ChartProps {
  /** A description of the chart for screen readers. */
  readonly label: string;
  /** Days, `YYYY-MM-DD`. */
  readonly dates: readonly string[];
  readonly values: readonly number[];
  /** The value of each day of the previous period. */
  readonly previous: readonly number[];
  /** Whether the last day is not over yet. The line to its value is then dashed. */
  readonly isOpen?: boolean;
  readonly format: (value: number) => string;
  /** Returns the content of the tooltip for the day at the pointer. */
  readonly tooltip: (index: number) => ComponentChildren;
}

// The height in pixels, like all sizes in this file.
const HEIGHT = 256;
const TOP = 12;
const BOTTOM = 28;
const RIGHT = 16;
const CHARACTER = 7;
/** Width of a day's label on the axis. */
const DAY = 72;

/** A chart of one value per day, with the previous period in the background. The style sheet sets the colours. */
export function Chart({ label, dates, values, previous, isOpen, format, tooltip }: ChartProps) {
  const { place, width } = useWidth();
  const [index, setIndex] = useState<number>();

  const ticks = ticksFor([...values, ...previous]).map((value) => ({ value, text: format(value) }));
  const left = Math.max(...ticks.map(({ text }) => text.length)) * CHARACTER + 2 * TOP;
  const [least, greatest] = [ticks[0]!.value, ticks.at(-1)!.value];
  const toX = (at: number) => left + ((width - left - RIGHT) * at) / Math.max(1, dates.length - 1);
  const toY = (value: number) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - least)) / (greatest - least);
  const line = (of: readonly number[], from = 0) =>
    of.map((value, at) => `${at === 0 ? 'M' : 'L'}${toX(from + at).toFixed(1)} ${toY(value).toFixed(1)}`).join('');

  const last = dates.length - 1;
  const complete = isOpen ? values.slice(0, -1) : values;
  const every = Math.ceil((dates.length * DAY) / (width - left));
  const shown = index === undefined || index > last ? undefined : { x: toX(index), y: toY(values[index]!) };

  function pointAt({ clientX }: PointerEvent): void {
    const x = clientX - place.current!.getBoundingClientRect().left;
    const nearest = Math.round(((x - left) / (width - left - RIGHT)) * last);
    setIndex(Math.min(last, Math.max(0, nearest)));
  }
  return (
    <div class="chart">
      <div class="chart-place" ref={place} onPointerMove={pointAt} onPointerLeave={() => setIndex(undefined)}>
        <svg role="img" aria-label={label} width={width} height={HEIGHT}>
          {ticks.map(({ value, text }) => (
            <g key={value} class="chart-tick">
              <line x1={left} x2={width - RIGHT} y1={toY(value)} y2={toY(value)} />
              <text x={left - TOP} y={toY(value)} dy="0.35em" text-anchor="end">
                {text}
              </text>
            </g>
          ))}
          {dates.map(
            (date, at) =>
              // Not every day has a label. The labels are placed from the last day backwards, so it always has one.
              (last - at) % every === 0 && (
                <text key={date} x={toX(at)} y={HEIGHT - TOP / 2} text-anchor={at === last ? 'end' : 'middle'}>
                  {shortDateText(date)}
                </text>
              ),
          )}
          <path class="chart-area" d={`${line(values)}V${toY(0)}H${left}Z`} />
          <path class="chart-line before" d={line(previous)} />
          <path class="chart-line" d={line(complete)} />
          {isOpen && <path class="chart-line open" d={line(values.slice(-2), Math.max(0, last - 1))} />}
          {shown && (
            <g class="chart-cursor">
              <line x1={shown.x} x2={shown.x} y1={TOP} y2={HEIGHT - BOTTOM} />
              <circle cx={shown.x} cy={shown.y} r="4" />
            </g>
          )}
        </svg>
        {shown && (
          <div
            class={`chart-tooltip ${shown.x > width / 2 ? 'late' : ''}`}
            style={{ left: `${shown.x}px`, top: `${shown.y}px` }}
            aria-hidden="true"
          >
            {tooltip(index!)}
          </div>
        )}
      </div>
    </div>
  );
}

/** Measures the width of an element in whole pixels; 0 until it is measured. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidth(place.current!.clientWidth);
    measure();
    const resize = new ResizeObserver(measure);
    resize.observe(place.current!);
    return () => resize.disconnect();
  }, []);
  return { place, width };
}
