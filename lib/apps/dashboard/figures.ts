export interface WithAmounts<Kind extends string> {
  readonly amounts: Readonly<Record<string, Readonly<Partial<Record<Kind, number | null>>> | undefined>>;
}

/** One kind of amount by currency; a currency without it counts as 0. */
export const amountsOf = <Kind extends string>({ amounts }: WithAmounts<Kind>, kind: Kind): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, of]) => [currency, of?.[kind] ?? 0]));
