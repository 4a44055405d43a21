import type { ChainResult } from '#lib/service/use-cases/run-verification-chain.ts';

/** How a verification chain ended (contract 10.5). */
export const chainReply = ({ shortLink, customerKey, verdict }: ChainResult) => ({
  short_code: shortLink,
  customer_key: customerKey,
  verdict,
  attributed: verdict.sale === 'attributed',
});
