import type { WireRequest } from '#lib/apps/client/calls/transport.ts';
import { bodyOf } from '#lib/apps/client/errors/field-names.ts';
import type { Warning } from '#lib/apps/client/errors/referral-error.ts';

/** A visit through a referral link. */
export interface Click {
  /** The full landing URL with its `aff` parameter. */
  readonly affiliateUrl: string;
  /** The click id that the visitor already has, if any. If it is sent, the customer stays with the first partner. */
  readonly existingClickId?: string;
  readonly pageUrl?: string;
  readonly referrerUrl?: string;
}

export interface RecordedClick {
  readonly success: true;
  /** Store this id with the visitor and send it with the lead. */
  readonly click_id: string;
  /** The value of the `aff` parameter. */
  readonly partner_code: string;
  /** Lifetime in days for a cookie with the click id. */
  readonly cookie_window_days: number;
  readonly warnings?: readonly Warning[];
}

export const clickNames = {
  affiliateUrl: 'affiliate_url',
  existingClickId: 'existing_click_id',
  pageUrl: 'page_url',
  referrerUrl: 'referrer_url',
} as const satisfies Readonly<Record<keyof Click, string>>;

/** The request for a click. It has no credential, because anyone may send clicks. */
export const clickRequest = (click: Click): WireRequest => ({
  method: 'POST',
  path: '/api/v1/track/click',
  body: bodyOf(clickNames, click),
});
