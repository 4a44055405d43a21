import {
  dateText,
  exactTimeText,
  localDateText,
  minuteText,
  shortLocalDateText,
  timeText,
} from '#lib/apps/web/format.ts';

/** A time in the reader's time zone; the tooltip adds the zone and UTC. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTimeText(at)}>
    {timeText(at)}
  </time>
);

/** A time without seconds, for what people plan and decide. The tooltip shows the exact time. */
export const Minute = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTimeText(at)}>
    {minuteText(at)}
  </time>
);

/** The day of a time, for small spaces. */
export const Day = ({ at }: { readonly at: string }) => (
  <time class="day" dateTime={at} title={exactTimeText(at)}>
    {localDateText(at)}
  </time>
);

/** The day of a time in the current year. */
export const DayOfYear = ({ at }: { readonly at: string }) => (
  <time class="day" dateTime={at} title={exactTimeText(at)}>
    {shortLocalDateText(at)}
  </time>
);

/** A UTC day, `YYYY-MM-DD`, as used in reports and payouts. */
export const DayOfUtc = ({ on }: { readonly on: string }) => <time dateTime={on}>{dateText(on)}</time>;
