import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import type { Brand, Logo } from '#lib/service/programs/brand/brand.ts';

export const findBrand = (table: Table, programId: number): Promise<Brand | undefined> =>
  table.get<Brand>(keys.brand(programId));

/**
 * Closes the race between two changes: the second one reloads and decides again, so that the brand always describes the
 * stored logo.
 */
export const brandWrite = (programId: number, before: Brand | undefined, after: Brand): Write => ({
  name: 'brand',
  key: keys.brand(programId),
  put: after,
  condition: { equals: { version: before?.version } },
});

/** A logo as it was uploaded. It is a separate item, because the rest of a brand is small and read often. */
export interface LogoFile extends Pick<Logo, 'type' | 'sha256'> {
  readonly content: Uint8Array;
}

export const findLogoFile = (table: Table, programId: number): Promise<LogoFile | undefined> =>
  table.get<LogoFile>(keys.logo(programId));

export const logoWrite = (programId: number, file: LogoFile): Write => ({
  name: 'logo',
  key: keys.logo(programId),
  put: file,
});

export const removedLogoWrite = (programId: number): Write => ({
  name: 'logo',
  key: keys.logo(programId),
  remove: true,
});
