import { dateText, exactTimeText, localDateText, timeText } from '#lib/apps/web/format.ts';

/** A moment in the reader's time zone; its title says it with the zone, and in UTC. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTimeText(at)}>
    {timeText(at)}
  </time>
);

/** A moment by its day, where there is little room. */
export const Day = ({ at }: { readonly at: string }) => (
  <time class="day" dateTime={at} title={exactTimeText(at)}>
    {localDateText(at)}
  </time>
);

/** A day of UTC, `YYYY-MM-DD`, as reports and payouts count them. */
export const DayOfUtc = ({ on }: { readonly on: string }) => <time dateTime={on}>{dateText(on)}</time>;
