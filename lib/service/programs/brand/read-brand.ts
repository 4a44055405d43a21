import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { logoNotFound, programNotFound } from '#lib/service/ground/values/refusals.ts';
import { type Brand, type BrandShown, isPublic, shownBrand } from '#lib/service/programs/brand/brand.ts';
import { findBrand, findLogoFile, type LogoFile } from '#lib/service/programs/brand/brands-items.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';

/** The brand of a program; undefined if an owner has never set one. */
export const brandOf = ({ table }: Pick<Deps, 'table'>, programId: number): Promise<Brand | undefined> =>
  findBrand(table, programId);

/** The brand of a program, for people who know the program. */
export const brandShown = async (
  { table }: Pick<Deps, 'table'>,
  program: Pick<Program, 'id' | 'name'>,
): Promise<BrandShown> => shownBrand(program, await findBrand(table, program.id));

/** The brand of a program, as everyone may see it. @throws Refusal unless it has a logo or a display name */
export async function publicBrand({ table }: Pick<Deps, 'table'>, programId: number | undefined): Promise<BrandShown> {
  if (programId === undefined) throw programNotFound();
  const [program, brand] = await Promise.all([findProgram(table, programId), findBrand(table, programId)]);
  if (!program || !isPublic(brand)) throw programNotFound();
  return shownBrand(program, brand);
}

/**
 * The file of a program's logo.
 * @param isKnown returns whether the caller already has the file with this hash
 * @returns the file; or only its hash, if the caller already has the file
 * @throws Refusal if the program has no logo
 */
export async function logoOf(
  { table }: Pick<Deps, 'table'>,
  programId: number | undefined,
  isKnown: ((sha256: string) => boolean) | undefined,
): Promise<LogoFile | Pick<LogoFile, 'sha256'>> {
  if (programId === undefined) throw logoNotFound();
  // Reading the brand, which contains the hash, costs a fraction of reading the logo.
  const known = isKnown && (await findBrand(table, programId))?.logo;
  if (known && isKnown(known.sha256)) return { sha256: known.sha256 };
  const file = await findLogoFile(table, programId);
  if (!file) throw logoNotFound();
  return file;
}
