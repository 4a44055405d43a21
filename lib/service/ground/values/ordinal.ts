const ends: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const rules = new Intl.PluralRules('en', { type: 'ordinal' });

/** A number as an ordinal: 1st, 2nd, 3rd, 4th. */
export const ordinal = (place: number): string => `${place}${ends[rules.select(place)] ?? 'th'}`;
