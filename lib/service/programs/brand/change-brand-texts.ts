import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { accentOf } from '#lib/service/programs/brand/accent.ts';
import type { Brand, BrandChange } from '#lib/service/programs/brand/brand.ts';
import { changeBrand } from '#lib/service/programs/brand/change-brand.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** Changes everything of a brand except for its logo. @throws Refusal */
export function changeBrandTexts(
  deps: Deps,
  program: Program,
  change: BrandChange,
  compare?: Comparison<Brand | undefined>,
): Promise<Brand | undefined> {
  const texts = Object.fromEntries(Object.entries(change).map(([field, text]) => [field, text || undefined]));
  const { accentColor: color } = change;
  const accent = color === undefined ? {} : { accent: color === '' ? undefined : accentOf(color) };
  return changeBrand(deps, program, { fields: { ...texts, ...accent }, compare });
}
