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
  await ask('All of her', `GET ${portal}/export`, as);
  await ask('A program', `GET ${program}`, as);
  await ask('Not said yet', `GET ${portal}/payout-details`, as);
  const bank = { method: 'bank', account_holder: 'Ana', iban: 'DE89 3704 0044 0532 0130 00' };
  await ask('A bank account', `PUT ${portal}/payout-details`, { ...as, body: bank });
  await ask('No IBAN', `PUT ${portal}/payout-details`, {
    ...as,
    body: { ...bank, iban: 'DE88 3704 0044 0532 0130 00' },
  });
  await ask('A bank account', `GET ${portal}/payout-details`, as);
  await liveOfFigures({ ask }, program, token);
}

/** What she reads of her own figures. */
async function liveOfFigures({ ask }: Pick<Recorder, 'ask'>, program: string, key: string): Promise<void> {
  const as = { key };
  await ask('Two days', `GET ${program}/performance?from=2026-11-19&to=2026-11-20`, as);
  await ask('What is owed', `GET ${program}/balance`, as);
  await ask('Codes', `GET ${program}/codes`, as);
  await ask('The newest customer', `GET ${program}/customers?limit=1`, as);
  const newest = await ask('The newest commission', `GET ${program}/commissions?limit=1`, as);
  await ask('All commissions', `GET ${program}/commissions.csv`, as);
  await ask('Why', `GET ${program}/commissions/${newest.body.data[0].id}`, as);
  await ask('Payouts', `GET ${program}/payouts`, as);
}
