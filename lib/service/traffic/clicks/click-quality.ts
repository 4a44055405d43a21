import { isbot } from 'isbot';
import { adCampaignOf } from '#lib/service/traffic/clicks/landing-address.ts';

/** The classes of clicks. If several fit, the first in this order is stored: bot, preview, paid_ad, repeat, ok. */
export const clickQualities = ['ok', 'bot', 'preview', 'repeat', 'paid_ad'] as const;
export type ClickQuality = (typeof clickQualities)[number];

/** The class that is stored with a click. Undefined means `ok`. */
export interface QualityOfClick {
  readonly quality?: Exclude<ClickQuality, 'ok'>;
}

export const qualityOf = ({ quality }: QualityOfClick): ClickQuality => quality ?? 'ok';

export const storedQuality = (quality: ClickQuality): QualityOfClick['quality'] =>
  quality === 'ok' ? undefined : quality;

/** Whether a program made the click, not a person: a bot, or an app that fetches the page for a preview. */
export const isAutomatic = ({ quality }: QualityOfClick): boolean => quality === 'bot' || quality === 'preview';

/** What the class of a click is derived from. */
export interface ClickSigns extends SeenOfClick {
  /** The visitor's `User-Agent` header. Undefined if it was not sent. */
  readonly userAgent?: string;
  /** The request's `Sec-Purpose` and `Purpose` headers. */
  readonly purpose?: string;
  /** The landing page URL, including its query. */
  readonly affiliateUrl: string;
}

/** What is known about a click from looking up its visitor and program. */
export interface SeenOfClick {
  /** Whether the click came from an IP address that the program ignores. */
  readonly isIgnored?: boolean;
  /** Whether the same visitor used the same link within the last hour. */
  readonly isRepeat?: boolean;
}

/**
 * The number of characters of a user agent that are examined. Real browsers send shorter ones; the name of a bot after
 * this position is not noticed.
 */
const LONGEST_AGENT = 1_024;

/** Link preview apps that the `isbot` list does not contain. */
const previewers = /whatsapp$|\b(?:iframely|embedly|line poker|page preview)\b/i;

/** Returns the first class that fits the click. */
export function qualityOfClick(signs: ClickSigns): ClickQuality {
  const agent = signs.userAgent?.slice(0, LONGEST_AGENT) ?? '';
  if (signs.isIgnored || isbot(agent)) return 'bot';
  if (/prefetch|prerender|preview/i.test(signs.purpose ?? '') || previewers.test(agent)) return 'preview';
  if (adCampaignOf(signs.affiliateUrl) !== undefined) return 'paid_ad';
  return signs.isRepeat ? 'repeat' : 'ok';
}
