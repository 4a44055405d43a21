import { type Action, type CommandOf, picked, readError, track, wrong } from '#test/ledger/play/calls.ts';
import type { Program } from '#test/ledger/program.ts';
import { apiClient } from '#test/support/callers/api-client.ts';
import { clicked, customerOf, settleLead } from '#test/ledger/selling.ts';
import { dayOf, type State } from '#test/ledger/state.ts';

// What visitors do.

export function clickAction(
  program: Program,
  __: State,
  command: CommandOf<'click'>,
  ___: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const { partner } = command;
  let clickId = '';
  return {
    call: async () => {
      const body = { affiliate_url: program.partners[partner]!.affiliateUrl };
      const reply = await track(program).post('/click', body, { at });
      clickId = reply.body.click_id;
      return reply.status;
    },
    act: (of) => {
      if (of.removed[partner]) return 410;
      clicked(of, clickId, partner, now);
      return 200;
    },
  };
}

export function returnAction(
  program: Program,
  state: State,
  command: CommandOf<'again'>,
  ___: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const customer = picked(
    state.customers.filter(({ clickId }) => clickId !== null),
    command.customer,
  );
  if (!customer) return undefined;
  const { partner } = command;
  return {
    call: async () => {
      const { affiliateUrl } = program.partners[partner]!;
      const body = { affiliate_url: affiliateUrl, existing_click_id: customer.clickId };
      const reply = await track(program).post('/click', body, { at });
      return reply.status === 200 ? reply.body.click_id : reply.status;
    },
    act: (of) => {
      if (of.removed[partner]) return 410;
      of.clicks.push({ partner, on: dayOf(now) });
      return customer.clickId;
    },
  };
}

export function leadAction(
  program: Program,
  state: State,
  command: CommandOf<'lead' | 'browserLead'>,
  label: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const customer = picked(
    state.customers.filter(({ clickId }) => clickId !== null),
    command.customer,
  );
  if (!customer) return undefined;
  const isServer = command.do === 'lead';
  const isSelf = command.do === 'lead' && command.isSelf;
  const ids = { click_id: customer.clickId, customer_key: customer.key };
  const email = isSelf ? program.partners[customer.partner]!.email : `${label}@people.test`;
  return {
    call: async () => {
      const body = isServer ? { ...ids, email } : ids;
      const user = apiClient('/api/v1/track', isServer ? program.key : undefined);
      return readError(await user.post('/lead', body, { at }));
    },
    act: (of) => {
      const own = customerOf(of, customer.label)!;
      if (isServer) {
        const refusal = settleLead(of, own, now, isSelf ? own.partner : undefined);
        return refusal === undefined ? { status: 200 } : wrong(400, refusal);
      }
      if (own.status !== 'click') {
        return wrong(400, `Customer status cannot be updated to lead. Current status: ${own.status}`);
      }
      own.provisionalAt ??= now;
      return { status: 200 };
    },
  };
}
