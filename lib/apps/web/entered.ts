/** What the person entered, by the fields' names. A checkbox that is off is absent. */
export type Entered = Readonly<Record<string, string>>;
