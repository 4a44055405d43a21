/** Values that the person entered, by field name. An unchecked checkbox is absent. */
export type Entered = Readonly<Record<string, string>>;
