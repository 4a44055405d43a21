import type { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';

const ways: Readonly<Record<string, string>> = {
  click_id: 'the click that they came with',
  email: 'their e-mail address',
  processor_customer: 'an earlier payment of theirs',
  customer_key: 'your own id for them',
};

/** Explains to owners which partner gets the commission for the sale, and why. */
export const whyText = ({
  text,
  resolved_by: by,
}: Pick<ExplainedSale['attribution'], 'text' | 'resolved_by'>): string =>
  by === null ? text : text.replace(` was found by ${by}. `, () => ` was found by ${ways[by] ?? by}. `);
