import { isbot } from 'isbot';
import { adCampaignOf } from '#lib/service/traffic/clicks/landing-address.ts';

/** What a click is worth counting as. The first that fits: bot, preview, paid_ad, repeat, ok. */
export const clickQualities = ['ok', 'bot', 'preview', 'repeat', 'paid_ad'] as const;
export type ClickQuality = (typeof clickQualities)[number];

/** Of a recorded click; absent = `ok`. */
export interface QualityOfClick {
  readonly quality?: Exclude<ClickQuality, 'ok'>;
}

export const qualityOf = ({ quality }: QualityOfClick): ClickQuality => quality ?? 'ok';

export const storedQuality = (quality: ClickQuality): QualityOfClick['quality'] =>
  quality === 'ok' ? undefined : quality;

/** Whether nobody was there: a bot's click, or that of a program that shows a preview of the page. */
export const isAutomatic = ({ quality }: QualityOfClick): boolean => quality === 'bot' || quality === 'preview';

/** What a click tells of itself. */
export interface ClickSigns extends SeenOfClick {
  /** Of the visitor; absent = not known. */
  readonly userAgent?: string;
  /** The request's `Sec-Purpose` and `Purpose`. */
  readonly purpose?: string;
  /** Landing address, with its query. */
  readonly affiliateUrl: string;
}

/** What is known of a click when its visitor was looked for. */
export interface SeenOfClick {
  /** It came from an address that the program ignores. */
  readonly isIgnored?: boolean;
  /** The same visitor came through the same link within the last hour. */
  readonly isRepeat?: boolean;
}

/** Browsers' own are shorter; a name further behind is not looked for. */
const LONGEST_AGENT = 1_024;

/** Programs that show what a link leads to, as far as they are not among the bots. */
const previewers = /whatsapp$|\b(?:iframely|embedly|line poker|page preview)\b/i;

/** The first that fits. */
export function qualityOfClick(signs: ClickSigns): ClickQuality {
  const agent = signs.userAgent?.slice(0, LONGEST_AGENT) ?? '';
  if (signs.isIgnored || isbot(agent)) return 'bot';
  if (/prefetch|prerender|preview/i.test(signs.purpose ?? '') || previewers.test(agent)) return 'preview';
  if (adCampaignOf(signs.affiliateUrl) !== undefined) return 'paid_ad';
  return signs.isRepeat ? 'repeat' : 'ok';
}
