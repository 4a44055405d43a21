import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

// A key that must be rotated before a deadline, and the warning that every reply to it contains.

export const DEADLINE = new Date('2026-12-01T23:59:59.500Z');
const MARKED_AT = new Date('2026-11-20T14:30:00.999Z');

export const rotationHeaders = {
  Deprecation: '@1795185000',
  Sunset: 'Tue, 01 Dec 2026 23:59:59 GMT',
  Link: '<https://track.test/docs/errors#api_key_rotation_required>; rel="deprecation"',
};

export const warnings = [
  {
    code: 'api_key_rotation_required',
    message: 'This API key must be replaced by 2026-12-01.',
    hint: 'A workspace owner can create a new key in Settings → API Key. Then update SERVICE_API_KEY on your server.',
    rotate_by: '2026-12-01T23:59:59.500Z',
    docs_url: 'https://track.test/docs/errors',
  },
];

export const retirement = {
  error: {
    code: 'api_key_rotation_required',
    message: 'This API key was retired on 2026-12-01.',
    hint: 'A workspace owner must create a new key in Settings → API Key.',
    docs_url: 'https://track.test/docs/errors',
  },
};

export async function markedBrand(world: World): Promise<Brand> {
  const brand = await world.brand();
  await markKeyForRotation(world.deps(MARKED_AT), brand.program.id, DEADLINE);
  return brand;
}
