import type { OwnedBrand } from '#test/wire/journey-of-sales.ts';
import type { Issuer, Recorder } from '#test/wire/recorder.ts';

const portal = '/api/partner/v1';
const dashboard = '/api/dashboard/v1';

/** Requests with which a partner reads her earnings, and others become partners. */
export async function livePartners(issuer: Issuer, recorder: Recorder, { programId, owner }: OwnedBrand) {
  const { ask } = recorder;
  const as = { key: await signIn(issuer, recorder, 'ana') };
  const program = `${dashboard}/programs/${programId}`;
  const own = `${portal}/programs/${programId}`;
  const join = `${portal}/join/${programId}`;
  await ask('Added by a program, and not accepted yet', `GET ${portal}/me`, as);
  await ask('Not yet', `POST ${own}/links`, { ...as, body: {} });
  await ask('Her yes', `POST ${own}/accept`, { ...as, body: {} });
  await ask('No mail', `PATCH ${portal}/me`, { ...as, body: { mail: false } });
  await ask('A program', `GET ${own}`, as);
  await ask('All of her', `GET ${portal}/export`, as);
  await ask('Not said yet', `GET ${portal}/payout-details`, as);
  const bank = { method: 'bank', account_holder: 'Ana', iban: 'DE89 3704 0044 0532 0130 00' };
  await ask('A bank account', `PUT ${portal}/payout-details`, { ...as, body: bank });
  await ask('No IBAN', `PUT ${portal}/payout-details`, {
    ...as,
    body: { ...bank, iban: 'DE88 3704 0044 0532 0130 00' },
  });
  await ask('A bank account', `GET ${portal}/payout-details`, as);
  const billing = { name: 'Ana Doe', address: '1 High Street, London', country: 'GB', tax_id: 'GB123456789' };
  await ask('Not said yet', `GET ${portal}/billing`, as);
  await ask('For statements', `PUT ${portal}/billing`, { ...as, body: billing });
  await ask('For statements', `GET ${portal}/billing`, as);
  await liveOfFigures({ ask }, own, as.key);
  await ask('A link of her own', `POST ${own}/links`, { ...as, body: { short_link: 'ana-blog' } });
  await ask('Another site', `POST ${own}/links`, { ...as, body: { destination_url: 'https://other.test/' } });
  await ask('Her links', `GET ${own}/links`, as);
  await ask('Switched off', `PATCH ${own}/links/ana-blog`, { ...as, body: { status: 'inactive' } });

  await ask('Closed', `GET ${join}`);
  const settings = { join: 'apply', partner_terms: 'Do not bid on our name.' };
  await ask('Open to applications', `PATCH ${program}`, { key: owner, body: settings });
  await ask('Open to applications', `GET ${join}`);
  await ask('The terms first', `POST ${own}/links`, { ...as, body: {} });
  await ask('The newest terms', `POST ${own}/terms`, { ...as, body: { version: 1 } });

  const ben = { key: await signIn(issuer, recorder, 'ben') };
  const application = { message: 'I write about money.', website: 'https://ben.test', terms_version: 1 };
  await ask('The terms first', `POST ${join}`, { ...ben, body: { message: 'I write about money.' } });
  await ask('An application', `POST ${join}`, { ...ben, body: application });
  const list = await ask('Who asked', `GET ${program}/partners?status=applied`, { key: owner });
  const partner = `${program}/partners/${list.body.data[0].id}`;
  await ask('Rejected', `POST ${partner}/reject`, { key: owner, body: { reason: 'Not about our subject' } });
  await ask('No longer possible', `POST ${partner}/accept`, { key: owner });
  await ask('Too early', `POST ${join}`, { ...ben, body: application });
  await ask('Invited after all', `POST ${partner}/invite`, { key: owner });
  await ask('Accepted', `POST ${own}/accept`, { ...ben, body: { terms_version: 1 } });

  const eve = { key: await signIn(issuer, recorder, 'eve') };
  await ask('Another application', `POST ${join}`, { ...eve, body: { terms_version: 1 } });
  const { body } = await ask('Who asked', `GET ${program}/partners?status=applied`, { key: owner });
  await ask('Accepted', `POST ${program}/partners/${body.data[0].id}/accept`, { key: owner });
  await ask('She leaves', `POST ${own}/leave`, eve);
  await ask('She has left', `POST ${own}/links`, { ...eve, body: {} });
  await ask('Only by an invitation', `PATCH ${program}/partners/${body.data[0].id}`, {
    key: owner,
    body: { status: 'active' },
  });
  await ask('Nothing is kept', `DELETE ${portal}/payout-details`, eve);
  await ask('Another address', `DELETE ${portal}/me`, { ...eve, body: { confirm: 'ben@partners.test' } });
  await ask('She closes her account', `DELETE ${portal}/me`, { ...eve, body: { confirm: 'eve@partners.test' } });

  const cleo = { name: 'Cleo', email: 'cleo@partners.test', invite: true };
  const invited = (await ask('Invited', `POST ${program}/partners`, { key: owner, body: cleo })).body.data;
  await ask('Declined', `POST ${own}/decline`, { key: await signIn(issuer, recorder, 'cleo') });
  await ask('Again on the same day', `POST ${program}/partners/${invited.id}/invite`, { key: owner });
  const dan = { name: 'Dan', email: 'dan@partners.test', invite: true };
  const several = {
    invitations: [
      { name: 'Eve', email: 'eve@partners.test' },
      { name: 'Cleo', email: cleo.email },
    ],
  };
  await ask('One is invited already', `POST ${program}/invitations`, { key: owner, body: several });
  const other = (await ask('Invited', `POST ${program}/partners`, { key: owner, body: dan })).body.data;
  await ask('Withdrawn', `POST ${program}/partners/${other.id}/withdraw`, { key: owner });
  await ask('No longer possible', `POST ${program}/partners/${other.id}/withdraw`, { key: owner });
}

async function signIn(issuer: Issuer, { ask }: Recorder, name: string): Promise<string> {
  const body = { id_token: await issuer.idToken({ sub: name, email: `${name}@partners.test`, name }) };
  return (await ask('A partner', `POST ${dashboard}/session`, { body })).body.data.token;
}

/** Requests for her own figures. */
async function liveOfFigures({ ask }: Pick<Recorder, 'ask'>, program: string, key: string): Promise<void> {
  const as = { key };
  await ask('Two days', `GET ${program}/performance?from=2026-11-19&to=2026-11-20`, as);
  await ask('All programs', `GET ${portal}/overview`, as);
  await ask('What is owed', `GET ${program}/balance`, as);
  await ask('Codes', `GET ${program}/codes`, as);
  await ask('The newest customer', `GET ${program}/customers?limit=1`, as);
  const newest = await ask('The newest commission', `GET ${program}/commissions?limit=1`, as);
  await ask('All commissions', `GET ${program}/commissions.csv`, as);
  await ask('Why', `GET ${program}/commissions/${newest.body.data[0].id}`, as);
  const payouts = await ask('Payouts', `GET ${program}/payouts`, as);
  const { id: payoutId, number } = payouts.body.data[0];
  await ask('Of a payout', `GET ${program}/statements/${number}`, as);
  await ask('A payout', `GET ${program}/payouts?payout_id=${payoutId}`, as);
  await ask('What a payout is made of', `GET ${program}/commissions?limit=1&payout_id=${payoutId}`, as);
}
