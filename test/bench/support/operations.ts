/** The tracking requests that are measured. In all sales, the buyer has bought before, so they cost the same. */
export const operations = ['click', 'lead', 'sale', 'repeated sale'] as const;
export type Operation = (typeof operations)[number];

export const statusOf: Readonly<Record<Operation, number>> = { click: 200, lead: 200, sale: 200, 'repeated sale': 409 };
