import { isAutomatic, type QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import type { WarningCode } from '#lib/service/ground/values/warnings.ts';

/** The fields of a stored click that decide about its warning. */
interface StoredClick extends QualityOfClick {
  readonly programId: number;
  readonly isTest?: boolean;
  readonly erasedAt?: string;
  readonly unlinkedAt?: string;
}

/** The form of click ids that test mode returns. They are not stored. */
const TEST_CLICK_ID = /^clk_test_/;

/** Returns why a click id finds no customer of the program. Undefined if it is a real click of the program. */
export function warningOfClick(
  clickId: string,
  click: StoredClick | undefined,
  programId: number,
): WarningCode | undefined {
  if (!click) return TEST_CLICK_ID.test(clickId) ? 'test_click' : 'unknown_click';
  if (click.isTest) return 'test_click';
  if (click.programId !== programId) return 'other_program_click';
  if (isAutomatic(click)) return 'bot_click';
  return click.erasedAt !== undefined || click.unlinkedAt !== undefined ? 'unknown_click' : undefined;
}
