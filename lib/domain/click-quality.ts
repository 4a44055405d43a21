/** What a click is worth counting as. The first that fits: bot, preview, paid_ad, repeat, ok. */
export const clickQualities = ['ok', 'bot', 'preview', 'repeat', 'paid_ad'] as const;
export type ClickQuality = (typeof clickQualities)[number];

/** Of a recorded click; absent = `ok`, also on clicks of before there were qualities. */
export interface QualityOfClick {
  readonly quality?: Exclude<ClickQuality, 'ok'>;
}

export const qualityOf = ({ quality }: QualityOfClick): ClickQuality => quality ?? 'ok';

/** Whether nobody was there: a bot's click, or that of a program that shows a preview of the page. */
export const isAutomatic = ({ quality }: QualityOfClick): boolean => quality === 'bot' || quality === 'preview';
