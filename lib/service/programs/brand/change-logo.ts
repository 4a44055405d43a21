import { createHash } from 'node:crypto';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Brand } from '#lib/service/programs/brand/brand.ts';
import { logoWrite } from '#lib/service/programs/brand/brands-items.ts';
import { changeBrand } from '#lib/service/programs/brand/change-brand.ts';
import type { Image } from '#lib/service/programs/brand/image.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

export interface NewLogo extends Image {
  readonly content: Uint8Array;
}

/** Replaces the logo of a program. Sending the stored file again changes nothing. */
export function setLogo(
  deps: Deps,
  program: Program,
  { content, type, width, height }: NewLogo,
): Promise<Brand | undefined> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const logo = { type, bytes: content.length, width, height, sha256 };
  const writes = [logoWrite(program.id, { content, type, sha256 })];
  return changeBrand(deps, program, { fields: { logo }, writes });
}
