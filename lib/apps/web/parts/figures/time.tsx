import {
  dateText,
  exactTimeText,
  localDateText,
  minuteText,
  shortLocalDateText,
  timeText,
} from '#lib/apps/web/format.ts';

/** Shows a time in the reader's time zone. The tooltip shows the zone, and the time in UTC. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTimeText(at)}>
    {timeText(at)}
  </time>
);

/** Shows a time without seconds, for times that people plan or decide. The tooltip shows the exact time. */
export const Minute = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTimeText(at)}>
    {minuteText(at)}
  </time>
);

/** Shows only the day of a time, where there is little space. */
export const Day = ({ at }: { readonly at: string }) => (
  <time class="day" dateTime={at} title={exactTimeText(at)}>
    {localDateText(at)}
  </time>
);

/** Shows only the day of a time, without its year; for times in the current year. */
export const DayOfYear = ({ at }: { readonly at: string }) => (
  <time class="day" dateTime={at} title={exactTimeText(at)}>
    {shortLocalDateText(at)}
  </time>
);

/** Shows a UTC day, `YYYY-MM-DD`, as reports and payouts have it. */
export const DayOfUtc = ({ on }: { readonly on: string }) => <time dateTime={on}>{dateText(on)}</time>;
