import { describe, expect, it } from 'vitest';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const acme = { programId: 1, programName: 'Acme' };
const afterThirtyDays = Math.ceil(NOW.getTime() / 1_000) + 30 * 86_400;

describe('mailWrites, which makes the writes that store a mail to send,', () => {
  it('stores one item for a mail to one person, and lists the mail until it is sent', async () => {
    const invited = { kind: 'partner_invited', fact: '1 2', data: acme } as const;
    const to = { id: 2, email: 'ana@partners.test', name: 'Ana', accountId: undefined };
    await world.deps().table.transact(mailWrites({ ...invited, to, now: NOW }));
    const id = mailIdOf(invited, to.email);
    expect(await world.items(keys.mail(id).pk)).toEqual([
      {
        ...keys.mail(id),
        id,
        kind: 'partner_invited',
        to: { email: 'ana@partners.test', name: 'Ana' },
        data: acme,
        status: 'waiting',
        createdAt: NOW.toISOString(),
        gsi1pk: 'UNSENT_MAILS',
        gsi1sk: `${NOW.toISOString()}#${id}`,
        expires_at: afterThirtyDays,
      },
    ]);
  });

  it('stores one item for a mail to a group, whose members are looked up when it is sent', async () => {
    const changed = { kind: 'terms_changed', fact: '1 3', data: { ...acme, version: 3 } } as const;
    await world.deps().table.transact(mailWrites({ ...changed, to: { activePartnersOf: 1 }, now: NOW }));
    const id = mailIdOf(changed);
    expect(await world.items(keys.mailing(id).pk)).toEqual([
      {
        ...keys.mailing(id),
        ...changed,
        id,
        to: { activePartnersOf: 1 },
        status: 'waiting',
        createdAt: NOW.toISOString(),
        gsi1pk: 'UNSENT_MAILS',
        gsi1sk: `${NOW.toISOString()}#${id}`,
        expires_at: afterThirtyDays,
      },
    ]);
  });

  it('makes a write that fails if the mail for the same fact is already stored', async () => {
    const writes = mailWrites({
      kind: 'payout_details_changed',
      fact: 'once',
      to: { email: 'ana@partners.test' },
      data: { masked: '****6789' },
      now: NOW,
    });
    await world.deps().table.transact(writes);
    await expect(world.deps().table.transact(writes)).rejects.toThrow(ConditionFailed);
  });
});
