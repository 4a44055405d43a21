import { beforeAll, describe, expect, it } from 'vitest';
import { isOfMailbox, mailDomainOf, traceEmail } from '#lib/service/ground/addresses/email.ts';
import { isSameOwnDomain } from '#lib/service/ground/addresses/mail-domains.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { closeAccount } from '#lib/service/programs/closing/close-account.ts';
import { largeProviders, partnerAtWrite, sharedPartOf } from '#lib/service/programs/addresses/partners-at-items.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { operated, operator } from '#test/support/callers/operator.ts';
import { changeProgram, clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

const SALT = 'salt';

/** Whether the rules self_referral or same_domain can match. */
const mayMatch = (one: string, other: string): boolean =>
  isOfMailbox(traceEmail(one, SALT), other, SALT) ||
  isSameOwnDomain(mailDomainOf({ masked: one }), mailDomainOf({ masked: other }));

describe('the part of an e-mail address that the hold rules compare', () => {
  it.each([
    ['bob.smith+shop@googlemail.com', 'bobsmith@gmail.com'],
    ['bob+a@outlook.com', 'bob+b@outlook.com'],
    ['bob+a@yahoo.co.uk', 'bob@yahoo.co.uk'],
    ['bob@acme.com', 'ana@shop.acme.com'],
    ['bob@ACME.com', 'ana@acme.com.'],
    ['bob@b\u00fccher.example', 'ana@xn--bcher-kva.example'],
    ['bob@a.example.co.uk', 'ana@example.co.uk'],
    ['bob@one.github.io', 'ana@shop.one.github.io'],
    ['bob@localhost', 'bob@localhost'],
  ])('is the same for %s and %s, which match', (one, other) => {
    expect(mayMatch(one, other)).toBe(true);
    expect(sharedPartOf(one)).toBe(sharedPartOf(other));
  });

  it.each([
    ['bob@gmail.com', 'ana@gmail.com'],
    ['bob@example.com', 'bob@example.org'],
  ])('differs for %s and %s', (one, other) => {
    expect(mayMatch(one, other)).toBe(false);
    expect(sharedPartOf(one)).not.toBe(sharedPartOf(other));
  });

  it.each([...largeProviders])('is the whole address, not the domain, at the public provider %s', (domain) => {
    expect(isSameOwnDomain(domain, domain)).toBe(false);
    expect(sharedPartOf(`bob+x@${domain}`)).toBe(`bob@${domain}`);
  });
});

describe('the list by which a program finds its partners by e-mail address', () => {
  let world: World;
  let brand: Brand;
  beforeAll(async () => {
    world = await openWorld();
    brand = await world.brand();
  });
  const listed = async () =>
    (await allItems(world)).filter(({ pk }) => String(pk).startsWith(`PARTNERS_AT#${brand.program.id}#`));

  it('contains no readable e-mail addresses', async () => {
    expect(await listed()).toEqual([partnerAtWrite(brand.partner).key]);
    expect(JSON.stringify(await listed())).not.toContain('partners.test');
  });

  it('does not contain a person who has closed the account', async () => {
    const program = await programOf(world);
    const { account, partnerId } = await program.person();
    const { key } = partnerAtWrite({ programId: program.id, id: partnerId, email: account.email });
    expect(await world.items(key.pk)).toEqual([key]);
    await closeAccount(world.deps(), account.id);
    expect(await world.items(key.pk)).toEqual([]);
  });

  it('is made by an operator command for programs that an older version created', async () => {
    const former = await world.brand();
    const [id, other] = [former.program.id, await world.brand()];
    const { pk, sk } = partnerAtWrite(former.partner).key;
    await changeProgram(world, former, { listsAddresses: undefined });
    await world.deps().table.transact([{ name: 'lost', key: { pk, sk }, remove: true }]);
    await world.deps().table.update(keys.partner(id, 0), { set: { id: 0, programId: id, status: 'removed' } });
    expect(await operated(world, 'partner list-addresses')).toEqual({ program_ids: [id] });
    expect(await world.items(pk)).toEqual([{ pk, sk }]);
    expect(await world.deps().table.get(keys.program(id))).toMatchObject({ listsAddresses: true });
    expect(await operated(world, 'partner list-addresses')).toEqual({ program_ids: [] });
    expect((await operator(world, 'partner list-addresses')).out).toEqual(['All are listed.']);
    expect(await world.deps().table.get(keys.program(other.program.id))).toEqual(
      expect.objectContaining({ listsAddresses: true, updatedAt: other.program.updatedAt }),
    );
  });

  const compared = async (email: string) => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, email });
    const { traits } = (await world.deps().table.get<{ traits: object }>(keys.customer(clickId)))!;
    return traits;
  };

  it('finds the same partner for a lead as in a program without the list, of which all partners are read', async () => {
    for (const email of ['bob@others.test', 'bob@partners.test', 'ana+x@partners.test']) {
      const withList = await compared(email);
      await changeProgram(world, brand, { listsAddresses: undefined });
      expect(withList).toEqual(await compared(email));
      await changeProgram(world, brand, { listsAddresses: true });
      expect(withList).toMatchObject({ compared: { partnerId: brand.partner.id } });
    }
  });
});
