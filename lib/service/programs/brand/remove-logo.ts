import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Brand } from '#lib/service/programs/brand/brand.ts';
import { removedLogoWrite } from '#lib/service/programs/brand/brands-items.ts';
import { changeBrand } from '#lib/service/programs/brand/change-brand.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** Removes the logo of a program, if it has one. */
export const removeLogo = (deps: Deps, program: Program): Promise<Brand | undefined> =>
  changeBrand(deps, program, { fields: { logo: undefined }, writes: [removedLogoWrite(program.id)] });
