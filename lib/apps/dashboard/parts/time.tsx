import { dateText, timeText } from '#lib/apps/dashboard/format.ts';

/** A moment, in UTC as everywhere in this service. */
export const Time = ({ at }: { readonly at: string }) => <time dateTime={at}>{timeText(at)}</time>;

/** A moment by its day, where there is little room. */
export const Day = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={timeText(at)}>
    {dateText(at)}
  </time>
);
