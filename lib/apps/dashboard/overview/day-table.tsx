import { dateText } from '#lib/apps/dashboard/format.ts';
import type { Metric } from '#lib/apps/dashboard/overview/metric.ts';
import { Table } from '#lib/apps/dashboard/parts/table.tsx';
import type { Performance } from '#lib/wire/performance.ts';

interface DayTableProps {
  readonly metrics: readonly Metric[];
  readonly performance: Performance;
}

/** What the chart draws, as numbers. Days without anything are left out. */
export function DayTable({ metrics, performance }: DayTableProps) {
  const days = performance.days.filter((day) => metrics.some(({ of }) => of(day) !== 0)).toReversed();
  if (days.length === 0) return null;
  return (
    <details class="day-table">
      <summary>Show the days as a table</summary>
      <Table
        label="Performance per day"
        rows={days}
        keyOf={({ date }) => date}
        columns={[
          { title: 'Day', cell: ({ date }) => dateText(date) },
          ...metrics.map(({ title, of, text }) => ({
            title,
            isNumber: true,
            cell: (day: Performance['days'][number]) => text(of(day)),
          })),
        ]}
      />
    </details>
  );
}
