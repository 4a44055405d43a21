export interface WithAmounts<Kind extends string> {
  readonly amounts: Readonly<Record<string, Readonly<Partial<Record<Kind, number | null>>> | undefined>>;
}

/** Returns one kind of amount in each currency. If a currency has no such amount, it is 0. */
export const amountsOf = <Kind extends string>({ amounts }: WithAmounts<Kind>, kind: Kind): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, of]) => [currency, of?.[kind] ?? 0]));
