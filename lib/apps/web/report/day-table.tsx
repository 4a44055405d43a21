import { useState } from 'preact/hooks';
import { dateText } from '#lib/apps/web/format.ts';
import type { Metric } from '#lib/apps/web/report/metric.ts';
import { Table } from '#lib/apps/web/parts/table/table.tsx';
import type { Performance } from '#lib/apps/web/report/performance.ts';

interface DayTableProps {
  readonly metrics: readonly Metric[];
  readonly performance: Performance;
}

/** The values of the chart as a table, which the person can open. Days without values are left out. */
export function DayTable({ metrics, performance }: DayTableProps) {
  const [isOpen, setOpen] = useState(false);
  const days = performance.days.filter((day) => metrics.some(({ of }) => of(day) !== 0)).toReversed();
  if (days.length === 0) return null;
  return (
    <details class="day-table" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show the days as a table</summary>
      {isOpen && (
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
      )}
    </details>
  );
}
