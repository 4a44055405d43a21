import type { WireRequest } from '#lib/apps/client/transport.ts';
import type { Warning } from '#lib/apps/client/referral-error.ts';

/** A visit through a referral link. */
export interface Click {
  /** The whole landing URL with its `aff` parameter. */
  readonly affiliateUrl: string;
  /** The visitor's click id, when they have one: the first partner keeps the customer. */
  readonly existingClickId?: string;
  readonly pageUrl?: string;
  readonly referrerUrl?: string;
}

export interface RecordedClick {
  readonly success: true;
  /** Keep it with the visitor and send it with the lead. */
  readonly click_id: string;
  /** The `aff` value. */
  readonly partner_code: string;
  /** Days for which a cookie should hold the click id. */
  readonly cookie_window_days: number;
  readonly warnings?: readonly Warning[];
}

/** Clicks carry no credential. */
export const clickRequest = ({ affiliateUrl, existingClickId, pageUrl, referrerUrl }: Click): WireRequest => ({
  method: 'POST',
  path: '/api/v1/track/click',
  body: {
    affiliate_url: affiliateUrl,
    existing_click_id: existingClickId,
    page_url: pageUrl,
    referrer_url: referrerUrl,
  },
});
