import type { Code } from '#lib/service/programs/links/code.ts';
import { createCode, type NewCode } from '#lib/service/programs/links/create-code.ts';
import { anotherPartner } from '#test/support/payments/lives/journeys.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

/** Gives a partner of the brand a coupon code. Default: `SAVE10`. */
export const givenCode = (
  world: World,
  { program, partner }: Pick<Brand, 'program' | 'partner'>,
  more: Partial<NewCode> = {},
): Promise<Code> => createCode(world.deps(), program.id, { partnerId: partner.id, code: 'SAVE10', ...more });

/** Creates another partner of the brand, Cleo, who has the coupon code `SAVE10`. */
export async function cleoWithCode(world: World, brand: Brand, more: Partial<NewCode> = {}) {
  const cleo = await anotherPartner(world, brand, 'Cleo');
  const code = await givenCode(world, cleo, more);
  return { ...cleo, code };
}
