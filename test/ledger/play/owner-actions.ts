import { type Action, type CommandOf, picked, readError, wrong, labelOf } from '#test/ledger/play/calls.ts';
import type { Program, Row } from '#test/ledger/program.ts';
import { decide, payOut } from '#test/ledger/deciding.ts';
import { statusAt } from '#test/ledger/returning.ts';
import { grant } from '#test/ledger/earning.ts';
import { DAY, dayOf, type State } from '#test/ledger/state.ts';
import { settingsBody, termsBody } from '#test/ledger/wire.ts';

// What owners do.

const NO_GROUP = 999_999;

export function decisionAction(
  program: Program,
  state: State,
  command: CommandOf<'decide'>,
  _: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const one = picked(state.commissions, command.commission);
  if (!one) return undefined;
  const { decision } = command;
  return {
    call: async () => {
      const id = await commissionId(program, state, one.label, at);
      const owner = await program.owner(at);
      const { status, body } = await owner.post(
        `${program.path}/commissions/${String(id)}/${decision}`,
        { reason: 'Drawn' },
        { at },
      );
      return status === 200 ? body.data.status : wrong(status, body.error.message);
    },
    act: (of) => {
      const own = of.commissions.find(({ label: each }) => each === one.label)!;
      const refusal = decide(of, own, decision, now);
      if (refusal) return wrong(409, refusal);
      return statusAt(of, own, now);
    },
  };
}

export function grantAction(
  program: Program,
  state: State,
  command: CommandOf<'grant'>,
  ___: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const { partner, cents, currency } = command;
  return {
    call: async () => {
      const owner = await program.owner(at);
      const { id } = program.partners[partner]!;
      const number = state.commissions.filter(({ kind }) => kind === 'manual').length;
      const body = {
        amount_cents: Math.abs(cents),
        currency,
        reason: `manual ${number}`,
        deduction: cents < 0,
        external_id: `manual ${number}`,
      };
      const ask = () => owner.post(`${program.path}/partners/${id}/commissions`, body, { at });
      const [first, second] = await Promise.all([ask(), ask()]);
      if (second.status !== first.status) return readError(second);
      return readError(first);
    },
    act: (of) => {
      if (of.removed[partner] && cents > 0) return wrong(409, 'No partner-program relationship found for this partner');
      grant(of, partner, cents, currency, now);
      return { status: 200 };
    },
  };
}

export function payoutAction(
  program: Program,
  __: State,
  command: CommandOf<'payOut'>,
  ___: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const { partner, daysBack } = command;
  const through = daysBack === null ? undefined : dayOf(now - daysBack * DAY);
  const choice = { ...(partner !== null && { partner }), ...(through !== undefined && { through }) };
  return {
    call: async () => {
      const owner = await program.owner(at);
      const body = { partner_id: partner === null ? undefined : program.partners[partner]!.id, through };
      const reply = await owner.post(`${program.path}/payouts`, body, { at });
      return reply.status === 200 ? itemsOf(program, reply.body.data) : readError(reply);
    },
    act: (of) => {
      if (of.settings.isSandbox) return wrong(409, 'A sandbox program pays nothing out');
      const payout = payOut(of, choice, now);
      if (!payout) return wrong(409, 'No approved commissions to pay out');
      return payout.items.map(({ partner: who, currency, cents }) => ({ partner: who, currency, cents }));
    },
  };
}

export function termsAction(
  program: Program,
  __: State,
  command: CommandOf<'terms'>,
  ___: string,
  at: Date,
): Action | undefined {
  const { of: whose, partner, terms } = command;
  if (terms === null && whose !== 'personal') return undefined;
  return {
    call: async () => {
      const owner = await program.owner(at);
      const body = terms && termsBody(terms);
      if (whose === 'program') return readError(await owner.patch(program.path, body, { at }));
      if (whose === 'personal') {
        const { id } = program.partners[partner]!;
        return readError(await owner.patch(`${program.path}/partners/${id}`, { terms: body }, { at }));
      }
      const url = `${program.path}/groups`;
      const { groupId } = program;
      if (groupId !== undefined) return readError(await owner.patch(`${url}/${groupId}`, { terms: body }, { at }));
      const reply = await owner.post(url, { name: 'Gold', terms: body }, { at });
      program.groupId = reply.body.data.id;
      return readError(reply);
    },
    act: (state_) => {
      if (whose === 'program') state_.terms.program = terms!;
      if (whose === 'group') state_.terms.group = terms!;
      if (whose === 'personal') state_.terms.personal[partner] = terms;
      return { status: 200 };
    },
  };
}

export function memberAction(
  program: Program,
  state: State,
  command: CommandOf<'member'>,
  ___: string,
  at: Date,
): Action | undefined {
  const { partner, isIn } = command;
  if (!state.terms.group) return undefined;
  return {
    call: async () => {
      const owner = await program.owner(at);
      const body = { group_id: isIn ? program.groupId : null };
      return readError(await owner.patch(`${program.path}/partners/${program.partners[partner]!.id}`, body, { at }));
    },
    act: (of) => {
      of.members[partner] = isIn;
      return { status: 200 };
    },
  };
}

export function settingsAction(
  program: Program,
  __: State,
  command: CommandOf<'settings'>,
  ___: string,
  at: Date,
): Action | undefined {
  return {
    call: async () =>
      readError(await (await program.owner(at)).patch(program.path, settingsBody(command.change), { at })),
    act: (of) => {
      Object.assign(of.settings, command.change);
      return { status: 200 };
    },
  };
}

export function partnerAction(
  program: Program,
  __: State,
  command: CommandOf<'partner'>,
  ___: string,
  at: Date,
): Action | undefined {
  const { partner, isRemoved } = command;
  return {
    call: async () => {
      const owner = await program.owner(at);
      const body = { status: isRemoved ? 'removed' : 'active' };
      return readError(await owner.patch(`${program.path}/partners/${program.partners[partner]!.id}`, body, { at }));
    },
    act: (of) => {
      of.removed[partner] = isRemoved;
      return { status: 200 };
    },
  };
}

export function patchAction(
  program: Program,
  state: State,
  command: CommandOf<'patch'>,
  label: string,
  at: Date,
): Action | undefined {
  const { partner, isRemoved, terms, isRefused } = command;
  const isIn = state.terms.group ? command.isIn : null;
  return {
    call: async () => {
      const owner = await program.owner(at);
      const body = {
        name: `Partner of ${label}`,
        ...(isRemoved !== null && { status: isRemoved ? 'removed' : 'active' }),
        ...(isIn !== null && { group_id: isIn ? program.groupId : null }),
        ...(terms !== undefined && { terms: terms && termsBody(terms) }),
        ...(isRefused && { group_id: NO_GROUP }),
      };
      return readError(await owner.patch(`${program.path}/partners/${program.partners[partner]!.id}`, body, { at }));
    },
    act: (of) => {
      if (isRefused) return wrong(404, 'Group not found');
      if (isRemoved !== null) of.removed[partner] = isRemoved;
      if (isIn !== null) of.members[partner] = isIn;
      if (terms !== undefined) of.terms.personal[partner] = terms;
      return { status: 200 };
    },
  };
}

/** The contents of a payout. The service's ids are replaced by the ledger's names. */
export function itemsOf(program: Program, { items }: { readonly items: readonly Row[] }) {
  const numberOf = (id: unknown): number => program.partners.findIndex((partner) => partner.id === id);
  return items
    .map((item) => ({ partner: numberOf(item.partner_id), currency: String(item.currency), cents: item.amount_cents }))
    .toSorted((a, b) => a.partner - b.partner || (a.currency < b.currency ? -1 : 1));
}

async function commissionId(program: Program, state: State, label: string, at: Date): Promise<unknown> {
  const rows = await program.rowsOf(await program.owner(at), `${program.path}/commissions?limit=100`, at);
  return rows.find((row) => labelOf(state, row) === label)?.id;
}
