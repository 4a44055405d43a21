import { isAutomatic, type QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import type { WarningCode } from '#lib/service/ground/values/warnings.ts';

/** As much of the item of a click as tells what it is. */
interface StoredClick extends QualityOfClick {
  readonly programId: number;
  readonly isTest?: boolean;
  readonly erasedAt?: string;
  readonly unlinkedAt?: string;
}

/** The form of ids that test mode answers with; they are not stored. */
const TEST_CLICK_ID = /^clk_test_/;

/** Why a click id finds no customer of a program; undefined when the click is a real one of the program. */
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
