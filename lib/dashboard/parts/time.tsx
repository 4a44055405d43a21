import { timeText } from '#lib/dashboard/format.ts';

/** A moment, in UTC as everywhere in this service. */
export const Time = ({ at }: { readonly at: string }) => <time dateTime={at}>{timeText(at)}</time>;
