import { type Actor, actorOf } from '#lib/service/ground/changes/audit.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { changeProgram } from '#lib/service/programs/program/change-program.ts';
import { createLink } from '#lib/service/programs/links/create-link.ts';
import { approval, decideCommission, rejection } from '#lib/service/earnings/commissions/decide-commission.ts';
import { changeLines } from '#lib/service/earnings/lines/change-lines.ts';
import { lineIdOf } from '#lib/service/earnings/lines/payout-line.ts';
import { allLinesOf } from '#lib/service/earnings/lines/read-lines.ts';
import { payOut } from '#lib/service/earnings/recording/record-payout.ts';
import { processEvent } from '#lib/service/conversions/processors/process-event.ts';
import { listPayouts, referToPayout } from '#lib/service/earnings/payouts/read-payouts.ts';
import { recordClick } from '#lib/service/traffic/clicks/record-click.ts';
import { recordLead } from '#lib/service/conversions/leads/record-lead.ts';
import { recordRefund } from '#lib/service/conversions/refunds/record-refund.ts';
import { recordSale } from '#lib/service/conversions/sales/record-sale.ts';
import { changePartner } from '#lib/service/programs/partners/change-partner.ts';
import { setPayoutDetails } from '#lib/service/earnings/payouts/set-payout-details.ts';
import { acceptedBy } from '#infra/local/demo/demo-acceptance.ts';
import type { Step } from '#infra/local/demo/demo-plan.ts';

/**
 * What is needed to perform a step of the history: the program, the owner, and effects with the time of the step and
 * the owner as actor.
 */
export interface Scene {
  readonly deps: Deps;
  readonly programId: number;
  /** The domain of the site that visitors come to. */
  readonly domain: string;
  readonly owner: Actor;
}

type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** Performs a step of the history, by the same action that a request would use. */
export const play = (scene: Scene, step: Step): Promise<unknown> =>
  (plays[step.kind] as (scene: Scene, step: Step) => Promise<unknown>)(scene, step);

/** The id of the partner with this e-mail. */
async function partnerIdOf({ deps: { table }, programId }: Scene, email: string): Promise<number> {
  const program = await findProgram(table, programId);
  const partner = program && (await findPartnerByEmail(table, program.workspaceId, email));
  if (!partner) throw new Error(`The demo lacks its partner ${email}`);
  return partner.id;
}

const plays: { readonly [Kind in Step['kind']]: (scene: Scene, step: StepOf<Kind>) => Promise<unknown> } = {
  link: async (scene, { link: shortLink, email }) =>
    createLink(scene.deps, scene.programId, { partnerId: await partnerIdOf(scene, email), shortLink }),

  click({ deps, domain }, { clickId, link, from, isReturn, arrival }) {
    const { quality = 'ok', campaign } = arrival ?? {};
    const advertisement = campaign === undefined ? '' : `&utm_campaign=${campaign}&gclid=demo`;
    const affiliateUrl = `https://${domain}/?aff=${link}${advertisement}`;
    const random = { ...deps.random, clickId: () => clickId };
    const visit = { affiliateUrl, pageUrl: affiliateUrl, pageTitle: 'Acme Pro', referrerUrl: from };
    const existingClickId = isReturn ? clickId : undefined;
    return recordClick({ ...deps, random }, { affiliateUrl, visit, existingClickId, qualityWith: () => quality });
  },

  lead: ({ deps, programId }, { clickId, customerKey }) =>
    recordLead(deps, { clickId, customerKey, email: `${customerKey}@example.com` }, programId),

  sale({ deps, programId }, { purchase }) {
    const { transactionId, amountCents, currency, isRenewal, customer } = purchase;
    const facts = { transactionId, amountCents, currency, saleType: 'subscription', isRecurring: isRenewal } as const;
    return recordSale(
      deps,
      { facts: { ...facts, subscriptionInterval: 'monthly' }, customerKey: customer.customerKey },
      programId,
    );
  },

  payment({ deps, programId }, { at, purchase: { transactionId, amountCents, currency, customer } }) {
    const payment = {
      transactionId,
      amountCents,
      currency,
      paidAt: at,
      order: 'single',
      settlesLead: true,
      references: [transactionId, `pi_${transactionId}`],
      paymentIntentId: `pi_${transactionId}`,
      payer: { clickId: customer.clickId, customerKey: customer.customerKey },
    } as const;
    const event = { id: `evt_${transactionId}`, type: 'checkout.session.completed', isLive: true } as const;
    return processEvent(deps, { ...event, report: { kind: 'payment', payment } }, programId);
  },

  refund: ({ deps, programId }, { transactionId, reason, totalCents }) =>
    recordRefund(deps, { transactionId, reason, amountCents: totalCents }, programId),

  approval: ({ deps, programId, owner }, { transactionId }) =>
    decideCommission(deps, { transactionId, programId }, approval(deps, { actor: owner, role: 'owner' })),

  rejection: ({ deps, programId, owner }, { transactionId, reason }) =>
    decideCommission(deps, { transactionId, programId }, rejection(deps, reason, { actor: owner, role: 'owner' })),

  rules: ({ deps, programId }, { settings }) => changeProgram(deps, programId, () => settings),

  removal: async (scene, { email }) =>
    changePartner(scene.deps, { id: scene.programId }, await partnerIdOf(scene, email), { status: 'removed' }),

  async details({ deps, programId }, { email, name, details }) {
    const account = await acceptedBy(deps, programId, { email, name });
    await setPayoutDetails({ ...deps, actor: actorOf(account, 'partner') }, account, details);
  },

  payout: ({ deps, programId, owner }, { through }) => payOut(deps, programId, { through }, owner),

  async reference({ deps, programId }, { reference }) {
    const { items } = await listPayouts(deps, programId, { most: 1 });
    for (const { payout } of items) await referToPayout(deps, payout, reference);
  },

  async sent({ deps, programId, owner }) {
    const program = await findProgram(deps.table, programId);
    const { items } = await listPayouts(deps, programId, { most: 1 });
    for (const { payout } of program ? items : []) {
      const ids = (await allLinesOf(deps, payout)).map(lineIdOf);
      await changeLines(deps, program!, payout, ids, { status: 'sent', actor: owner, at: deps.now });
    }
  },
};
