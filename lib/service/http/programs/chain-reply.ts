import type { ChainResult } from '#lib/service/reports/trial/run-verification-chain.ts';
import type * as wire from '#lib/wire/reports/readiness.ts';

/** The result of a verification chain. */
export const chainReply = ({ shortLink, customerKey, verdict }: ChainResult): wire.ChainResult => ({
  type: 'chain',
  short_code: shortLink,
  customer_key: customerKey,
  verdict,
  attributed: verdict.sale === 'attributed',
});
