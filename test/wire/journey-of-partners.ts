import type { Issuer } from '#test/support/issuer.ts';
import type { OwnedBrand } from '#test/wire/journey-of-sales.ts';
import type { Recorder } from '#test/wire/recorder.ts';

const portal = '/api/partner/v1';

/** A partner looks at what she has earned. */
export async function livePartner(issuer: Issuer, { ask }: Recorder, { programId }: OwnedBrand): Promise<void> {
  const body = { id_token: await issuer.idToken({ sub: 'ana', email: 'ana@partners.test', name: 'Ana' }) };
  const { token } = (await ask('A partner', 'POST /api/dashboard/v1/session', { body })).body.data;
  const as = { key: token };
  const program = `${portal}/programs/${programId}`;
  await ask('A partner of one program', `GET ${portal}/me`, as);
  await ask('A program', `GET ${program}`, as);
}
