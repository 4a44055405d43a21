/** What the person entered in a form, by name of the input. An unchecked checkbox is absent. */
export type Entered = Readonly<Record<string, string>>;
