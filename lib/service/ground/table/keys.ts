import { type Counter, counterId } from '#lib/service/ground/counters/counter.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { Provider } from '#lib/service/ground/values/provider.ts';

/**
 * Every item of the table, its key, and the question it answers.
 *
 * | Item | pk / sk | Question |
 * |---|---|---|
 * | credential | CREDENTIAL#sha256 | who presents this secret, when last, and is it marked for rotation |
 * | agent key | AGENT_KEYS / id | which agent keys were issued, and is one revoked; never the key |
 * | program | PROGRAM#id / PROGRAM | settings, commission policy, origins, e-mail salt, removed partners |
 * | agreements of a program | PROGRAM#id / AGREEMENTS | which terms have its groups and single partners, and who is in which group; when too many clicks or signups came at once; absent while there are none |
 * | former terms of a program | PROGRAM#id / TERMS#version | which terms had this version, of the program, a group or a partner, before they were changed |
 * | size of a program | PROGRAM#id / SIZE | how many links were created; absent until the next one is |
 * | change of terms | PROGRAM#id / TERMS_CHANGE#time#id | which terms of the program, of a group or a partner were changed when, and by whom |
 * | account | ACCOUNT#id / ACCOUNT | a person: address, name, workspace, suspension |
 * | payout details | ACCOUNT#id / PAYOUT_DETAILS | where do the payouts of this person go; sealed, with a mask to show |
 * | held payouts | PROGRAM#id / PAYOUT_HOLD#partner (expires) | whose payouts are held, because where they go, or the partner's address, was just changed |
 * | details at the end of a share | ACCOUNT#id / SHARED#workspace#partner#time | which payout details had this person when they ended to be shared with the workspace: older payouts show no newer ones |
 * | identity of an account | ACCOUNT#id / IDENTITY#issuer#subject | as whom does this account sign in |
 * | token of an account | ACCOUNT#id / TOKEN#sha256 (expires) | which login tokens does this account have |
 * | identity | IDENTITY#issuer#subject | which account signs in as this |
 * | account's address | ACCOUNT_EMAIL#email | which account has this e-mail |
 * | used id_token | ID_TOKEN#kind#sha256 (expires) | did this id_token open a session of this kind |
 * | workspace | WORKSPACE#id / WORKSPACE | a brand's name and its people with their roles |
 * | audit entry | AUDIT#workspace / time#id (expires) | who changed what in this workspace, in order |
 * | last changes | LAST_CHANGES#kind#program#id (expires) | who changed which field of this last, and when |
 * | invitation | INVITATION#email / time#workspace | which workspaces invited this address, oldest first |
 * | CLI login | LOGIN#sha256 (expires) | how far is this login |
 * | partner in program | PROGRAM#id / PARTNER#id | who is this partner, is the relation active |
 * | partner of a workspace | PARTNER_EMAIL#workspace#email | which partner of the workspace has this e-mail, and in which programs |
 * | address of a partner | PARTNER_OF_EMAIL#email / PROGRAM#id | which partner of the program waits for the account of this address; a hint, the partner itself tells |
 * | partner of an account | ACCOUNT#id / PARTNER#program | which partner is this account in the program |
 * | look as a partner | ACCOUNT#id / VIEWED_AS#program#partner | on which day did this owner last look at the program as the partner |
 * | partner terms | PROGRAM#id / PARTNER_TERMS#version | the text that partners of the program accept |
 * | referral link | LINK#short_link | who gets a click on this aff value |
 * | code | CODE#program#code in lower case | which partner of the program has this coupon code, is it active
 * | code of the processor | PROCESSOR_CODE#program#promo_id | which code of the program is this promotion code
 * | promotion code | PROMOTION_CODE#account or program#promo_id | what is the text of the processor's promotion code
 * | promotion codes of a text | PROMOTION_CODES#account or program#text in lower case / promo_id | which promotion codes have this text
 * | discount | DISCOUNT#account or program#di_id | which promotion code is the processor's discount, if any
 * | payment that waits for a code | WAITING_FOR_CODE#program#promo_id or di_id / time#sha256 of the event's id (expires) | which payments wait for this code, oldest first
 * | allowed origin | ORIGIN#pattern | which programs allow this origin |
 * | customer | CUSTOMER#click_id / CUSTOMER | the first click and all that became of it |
 * | re-click | CUSTOMER#click_id / CLICK#time#id | later clicks of the customer, in order |
 * | lead | CUSTOMER#click_id / LEAD | the customer's one lead, provisional or settled |
 * | commission of a lead | CUSTOMER#click_id / COMMISSION | what the customer's settled lead earned |
 * | customer key | KEY#customer_key / PROGRAM#id | which customer of this program has this key, with its attribution; in which programs is it bound |
 * | customer key of a chain | TEST_KEY#customer_key / PROGRAM#id | the same of a verification chain, out of every real key's way |
 * | e-mail | EMAIL#program#hash / time#click_id | which customers' settled leads brought this address, earliest first |
 * | sale, commission, refund | SALE#transaction_id / SALE, COMMISSION, REFUND#time#id | the global claim on the id, and everything about one sale |
 * | named refund | SALE#transaction_id / REFUND_ID#sha256 of the refund's id | which amount has the refund that calls of the API name by this id |
 * | sale to repair | SALES_TO_REPAIR / time#transaction_id | which sales wait for their commission, oldest first |
 * | commission that awaits its month | AWAITING_MONTH#share / month#transaction_id | which commissions were made before it was certain what their partners had sold in the month |
 * | counted month | COUNTED_MONTH | up to which month is every sale counted for certain, and which probes are to tell it of the next |
 * | commission's name | COMMISSION#id / OF#transaction_id, OF_LEAD#click_id, NAME | which sale's or lead's commission has this id, or is it a manual one; also the list of all commissions |
 * | manual commission | COMMISSION#id / COMMISSION | what an owner granted to a partner, and why |
 * | payout | PAYOUT#id | what was paid to whom, and is it made |
 * | claim of a payout | PAYOUT#id / CLAIM#step#partner#currency | which commissions of a partner, in a currency, did this step claim |
 * | reference of a payout | PAYOUT#id / REFERENCE | what the owner calls the payment, apart from what all partners were paid |
 * | open payout | PROGRAM#id / OPEN_PAYOUT | which payout is to be finished before another begins |
 * | counter | COUNTER#PROGRAM#id, COUNTER#PARTNER#program#id, COUNTER#LINK#short_link, COUNTER#CUSTOMER#click_id, COUNTER#CODE#program#code / COUNTER | totals since ever, recent days and minutes, up to where each shard is counted; of a link, its latest click; of a customer, its money since ever; of a code, its payments |
 * | counter's month, hour | the same / MONTH#month, HOUR#hour (expires) | its days of a month, its minutes of an hour |
 * | shard | SHARDS / shard id (expires) | up to where is this shard of the stream counted everywhere |
 * | probe | PROBE#run#number / PROBE (expires) | has the stream's consumer dealt with all that was written before it |
 * | payment | PAYMENT#program#id of the processor (expires until it has a sale) | which sale is this payment's, and which refunds, or which invoice, wait for it |
 * | payment of a test card, or of another provider | TEST_PAYMENT#program#id, PADDLE_PAYMENT#program#id | the same, out of every other payment's way |
 * | payer | PAYER#program#customer of the processor, or key: or address: and a hash | which customer paid as this one before; when was a payment of this one nobody's first |
 * | subscription | SUBSCRIPTION#program#subscription_id | which customer of the program paid for this subscription first, and by which sale |
 * | subscription of a customer | CUSTOMER#click_id / SUBSCRIPTION#subscription_id | the same of a further customer who pays for one of this id |
 * | sale of a customer | CUSTOMER#click_id / SALE#time#transaction_id | which real sales are this customer's, in order; holds nothing else |
| payer of a customer | CUSTOMER#click_id / PAYER#customer of the processor | as whom does this customer pay |
 * | processor event | PROCESSOR_EVENT#endpoint#id (expires) | was this event processed |
 * | processor account | PROCESSOR_ACCOUNT#id | which programs are connected to it, and what may it do |
 * | last delivery | LAST_DELIVERY#program | the last event that came for this program, by which way, and what became of it; when a payment was first forwarded |
 * | unsold payment | UNSOLD#program#sha256 of the event's id (expires) | which payment did not become a sale, why, and what is needed to try again |
 * | connection under way | CONNECT#sha256 (expires) | who went to connect which program |
 * | erasure | ERASURE#program#sha256 of a customer key (expires) | which customer was erased who had this key |
 * | test event | TEST_EVENT#id | a test click or lead (a test sale is a sale) |
 * | rate window | WINDOW#group#start#identity (expires) | how many requests so far, or of this second to this host; of clicks one for each network and day, which also knows its visitors |
 * | salt of a day | SALT#day (expires) | under which salt are addresses hashed on this day |
 * | salt of accounts | ACCOUNT_SALT#workspace, or ALL | under which salt are accounts of payout details hashed there |
 * | partners of an account | SAME_ACCOUNT#workspace#hash | which partners of the workspace are paid to one account |
 * | signups of a day | SIGNUPS#program#partner#day, followed by #hash of an address (expires) | how many people signed up of this partner, and how many from this address |
 * | test partner of a program's chains | PROGRAM#id / FIXTURE | which partner verification chains are to credit |
 * | latest chain | PROGRAM#id / CHAIN | how the latest verification chain ended |
 * | sequence | SEQUENCE#name | the highest id handed out |
 * | stream position | STREAM_POSITION#consumer / shard | on a local run: up to where the stream has been read |
 * | edge | EDGE | by which secrets does a request prove that it came through the edge |
 * | mail | MAIL#sha256 of fact and address (expires) | what is to be told to this address, and was it |
 * | address of mails | MAIL_ADDRESS#email | does this address take mails: it may refuse them, or return them |
 * | refusal of mails | MAIL_REFUSAL#sha256 (expires) | whose mails does the holder of this link refuse |
 * | invitations of a mailbox | SENT_INVITATIONS#sha256 of the mailbox (expires) | which invitations did it get within the last seven days
 * | recipients of a day | RECIPIENTS#workspace#day (expires) | how many people has the workspace invited on this day whom it had not invited of late
 * | accepted invitations | ACCEPTED_INVITATIONS#workspace | how many of the workspace's invitations were accepted
 * | mails that are due | DUE_MAILS / time#what about | what has to be told at this time, if it is still so |
 * | source of applications | APPLICATION_SOURCE#program#day#source (expires) | how many applications of the day came from this network, by its hash under the salt of the day, or this domain of mail |
 * | row of a digest | DIGEST#workspace#day / program#what about (expires) | what has this day left for the workspace's owners to decide |
 * | blocked sender | BLOCKED_SENDERS#sha256 of the mailbox / workspace | does this mailbox take mails of the workspace's programs |
 * | webhook endpoints | PROGRAM#id / WEBHOOKS | where are the facts of this program sent; absent until there is an endpoint |
 * | fact | FACTS#program / id of the fact, which begins with its time (expires) | what happened in this program, in order |
 * | fact to come | DUE_FACTS / time#what about | what will have happened at this time, if it is still so |
 * | approval | APPROVAL#commission / partner (expires) | when was this commission of the partner approved first |
 * | delivery | DELIVERIES#endpoint / id, which begins with the fact's time (expires) | which facts were sent to this endpoint, and what became of them |
 * | due delivery | DUE_DELIVERIES#endpoint / time of the next attempt#id (expires) | which deliveries of the endpoint are to be attempted next |
 * | replay | REPLAY#endpoint (expires) | which facts are still to be sent to the endpoint again |
 * | work of an endpoint | WEBHOOK_WORK / endpoint | has the endpoint something to be sent, when, and who is sending it |
 * | mailing | MAILING#sha256 of the fact (expires) | whom has this fact still to be told to |
 * | clock | CLOCK | on a local run: how far the service's time is from the real one |
 * | history of the demo | DEMO_HISTORY | on a local run: when the demo's history ends, and how much of it is made |
 *
 * Items with one key part use it as pk and sk. Free text of a caller comes last in a key, so it cannot reach into another part.
 * The index `gsi1` lists the programs of a workspace and the links, partners (apart: people who may become some), codes, payouts, commissions
 * (all, and those that wait for a payout), unsold payments and events (by type) of a program, and the unsent mails of all, each in
 * order of time. Real clicks are listed under several keys of the index, so a list of them is merged.
 * The index `gsi2` lists what belongs to one partner of a program: commissions (those that wait for a payout apart from the
 * settled ones), customers, codes, and what payouts claimed. What a partner reads is bounded by these.
 */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Where an item appears in the index. */
export interface IndexKey {
  readonly gsi1pk: string;
  readonly gsi1sk: string;
}

/** Where an item appears in the index of what belongs to one partner. */
export interface PartnerIndexKey {
  readonly gsi2pk: string;
  readonly gsi2sk: string;
}

/** Whose ids a payment's are; absent = Stripe's, or those of a provider that nobody named. */
export type PaymentSpace = 'test' | Provider;

/** The key of an item; the sort key of one with a single part repeats it. */
const keyOf = (pk: string, sk: string = pk): Key => ({ pk, sk });

const stepName = (step: number): string => String(step).padStart(6, '0');

export const keys = {
  credential: (hash: string) => keyOf(`CREDENTIAL#${hash}`),
  agentKey: (id: number) => keyOf('AGENT_KEYS', String(id).padStart(16, '0')),
  program: (programId: number) => keyOf(`PROGRAM#${programId}`, 'PROGRAM'),
  programSize: (programId: number) => keyOf(`PROGRAM#${programId}`, 'SIZE'),
  agreements: (programId: number) => keyOf(`PROGRAM#${programId}`, 'AGREEMENTS'),
  formerTerms: (programId: number, version: number) =>
    keyOf(`PROGRAM#${programId}`, `TERMS#${String(version).padStart(6, '0')}`),
  termsChange: (programId: number, at: string, id: string) => keyOf(`PROGRAM#${programId}`, `TERMS_CHANGE#${at}#${id}`),
  account: (accountId: number) => keyOf(`ACCOUNT#${accountId}`, 'ACCOUNT'),
  accountToken: (accountId: number, hash: string) => keyOf(`ACCOUNT#${accountId}`, `TOKEN#${hash}`),
  payoutDetails: (accountId: number) => keyOf(`ACCOUNT#${accountId}`, 'PAYOUT_DETAILS'),
  /** In order of time. */
  sharedDetails: (accountId: number, workspaceId: number | '', partnerId: number | '', endedAt: string) =>
    keyOf(`ACCOUNT#${accountId}`, workspaceId === '' ? 'SHARED#' : `SHARED#${workspaceId}#${partnerId}#${endedAt}`),
  accountIdentity: (accountId: number, issuer: string, subject: string) =>
    keyOf(`ACCOUNT#${accountId}`, `IDENTITY#${issuer}#${subject}`),
  payoutHold: (programId: number, partnerId: number | '') => keyOf(`PROGRAM#${programId}`, `PAYOUT_HOLD#${partnerId}`),
  identity: (issuer: string, subject: string) => keyOf(`IDENTITY#${issuer}#${subject}`),
  accountEmail: (email: string) => keyOf(`ACCOUNT_EMAIL#${email}`),
  invitation: (email: string, invitedAt: string, workspaceId: number) =>
    keyOf(`INVITATION#${email}`, `${invitedAt}#${workspaceId}`),
  idToken: (kind: string, hash: string) => keyOf(`ID_TOKEN#${kind}#${hash}`),
  login: (hash: string) => keyOf(`LOGIN#${hash}`),
  workspace: (workspaceId: number) => keyOf(`WORKSPACE#${workspaceId}`, 'WORKSPACE'),
  auditEntry: (workspaceId: number, at: string, id: string) => keyOf(`AUDIT#${workspaceId}`, `${at}#${id}`),
  /** @param programId none for what several programs have in common */
  lastChanges: (kind: string, programId: number | undefined, id: number | string) =>
    keyOf(`LAST_CHANGES#${kind}#${programId ?? ''}#${id}`),
  partnerEmail: (workspaceId: number, email: string) => keyOf(`PARTNER_EMAIL#${workspaceId}#${email}`),
  partner: (programId: number, partnerId: number) => keyOf(`PROGRAM#${programId}`, `PARTNER#${partnerId}`),
  partnerOfEmail: (email: string, programId: number) => keyOf(`PARTNER_OF_EMAIL#${email}`, `PROGRAM#${programId}`),
  accountPartner: (accountId: number, programId: number) => keyOf(`ACCOUNT#${accountId}`, `PARTNER#${programId}`),
  viewedAs: (accountId: number, programId: number, partnerId: number) =>
    keyOf(`ACCOUNT#${accountId}`, `VIEWED_AS#${programId}#${partnerId}`),
  partnerTerms: (programId: number, version: number) =>
    keyOf(`PROGRAM#${programId}`, `PARTNER_TERMS#${String(version).padStart(6, '0')}`),
  link: (shortLink: string) => keyOf(`LINK#${shortLink}`),
  code: (programId: number, name: string) => keyOf(`CODE#${programId}#${name}`),
  processorCode: (programId: number, processorCodeId: string) =>
    keyOf(`PROCESSOR_CODE#${programId}#${processorCodeId}`),
  promotionCode: (scope: string, id: string) => keyOf(`PROMOTION_CODE#${scope}#${id}`),
  promotionCodeOfText: (scope: string, name: string, id: string) => keyOf(`PROMOTION_CODES#${scope}#${name}`, id),
  discount: (scope: string, id: string) => keyOf(`DISCOUNT#${scope}#${id}`),
  waitingForCode: (programId: number, id: string, at: string, eventHash: string) =>
    keyOf(`WAITING_FOR_CODE#${programId}#${id}`, `${at}#${eventHash}`),
  origin: (pattern: string) => keyOf(`ORIGIN#${pattern}`),
  customer: (clickId: string) => keyOf(`CUSTOMER#${clickId}`, 'CUSTOMER'),
  laterClick: (clickId: string, at: string, id: number) => keyOf(`CUSTOMER#${clickId}`, `CLICK#${at}#${id}`),
  lead: (clickId: string) => keyOf(`CUSTOMER#${clickId}`, 'LEAD'),
  customerKey: (customerKey: string, programId: number, isTest = false) =>
    keyOf(`${isTest ? 'TEST_' : ''}KEY#${customerKey}`, `PROGRAM#${programId}`),
  email: (programId: number, hash: string, at: string, clickId: string) =>
    keyOf(`EMAIL#${programId}#${hash}`, `${at}#${clickId}`),
  sale: (transactionId: string) => keyOf(`SALE#${transactionId}`, 'SALE'),
  commission: (transactionId: string) => keyOf(`SALE#${transactionId}`, 'COMMISSION'),
  leadCommission: (clickId: string) => keyOf(`CUSTOMER#${clickId}`, 'COMMISSION'),
  manualCommission: (id: number) => keyOf(`COMMISSION#${id}`, 'COMMISSION'),
  refund: (transactionId: string, at: string, id: number) => keyOf(`SALE#${transactionId}`, `REFUND#${at}#${id}`),
  namedRefund: (transactionId: string, refundHash: string) => keyOf(`SALE#${transactionId}`, `REFUND_ID#${refundHash}`),
  saleToRepair: (createdAt: string, transactionId: string) => keyOf('SALES_TO_REPAIR', `${createdAt}#${transactionId}`),
  awaitingMonth: (share: number, month: string, transactionId: string) =>
    keyOf(`AWAITING_MONTH#${share}`, `${month}#${transactionId}`),
  countedMonth: keyOf('COUNTED_MONTH'),
  payment: (programId: number, processorId: string, space?: PaymentSpace) =>
    keyOf(`${space ? `${space.toUpperCase()}_` : ''}PAYMENT#${programId}#${processorId}`),
  payer: (programId: number, processorCustomerId: string) => keyOf(`PAYER#${programId}#${processorCustomerId}`),
  payerOfCustomer: (clickId: string, processorCustomerId: string) =>
    keyOf(`CUSTOMER#${clickId}`, `PAYER#${processorCustomerId}`),
  subscription: (programId: number, subscriptionId: string) => keyOf(`SUBSCRIPTION#${programId}#${subscriptionId}`),
  subscriptionOf: (clickId: string, subscriptionId: string) =>
    keyOf(`CUSTOMER#${clickId}`, `SUBSCRIPTION#${subscriptionId}`),
  saleOfCustomer: (clickId: string, createdAt: string, transactionId: string) =>
    keyOf(`CUSTOMER#${clickId}`, `SALE#${createdAt}#${transactionId}`),
  erasure: (programId: number, keyHash: string) => keyOf(`ERASURE#${programId}#${keyHash}`),
  processorEvent: (endpoint: string, eventId: string) => keyOf(`PROCESSOR_EVENT#${endpoint}#${eventId}`),
  processorAccount: (accountId: string) => keyOf(`PROCESSOR_ACCOUNT#${accountId}`),
  lastDelivery: (programId: number) => keyOf(`LAST_DELIVERY#${programId}`),
  unattributedPayment: (programId: number, eventHash: string) => keyOf(`UNSOLD#${programId}#${eventHash}`),
  connect: (hash: string) => keyOf(`CONNECT#${hash}`),
  testPartner: (programId: number) => keyOf(`PROGRAM#${programId}`, 'FIXTURE'),
  chain: (programId: number) => keyOf(`PROGRAM#${programId}`, 'CHAIN'),
  commissionName: (commissionId: number, name: string) => keyOf(`COMMISSION#${commissionId}`, name),
  payout: (payoutId: number) => keyOf(`PAYOUT#${payoutId}`),
  payoutClaim: (payoutId: number, step: number, partnerId: number, currency: string) =>
    keyOf(`PAYOUT#${payoutId}`, `CLAIM#${stepName(step)}#${partnerId}#${currency}`),
  payoutReference: (payoutId: number) => keyOf(`PAYOUT#${payoutId}`, 'REFERENCE'),
  openPayout: (programId: number) => keyOf(`PROGRAM#${programId}`, 'OPEN_PAYOUT'),
  counter: (counter: Counter) => keyOf(`COUNTER#${counterId(counter)}`, 'COUNTER'),
  counterMonth: (counter: Counter, month: string) => keyOf(`COUNTER#${counterId(counter)}`, `MONTH#${month}`),
  counterHour: (counter: Counter, hour: string) => keyOf(`COUNTER#${counterId(counter)}`, `HOUR#${hour}`),
  shard: (shardId: string) => keyOf('SHARDS', shardId),
  probe: (run: string, number: number) => keyOf(`PROBE#${run}#${number}`, 'PROBE'),
  signups: (programId: number, partnerId: number, day: Day) => keyOf(`SIGNUPS#${programId}#${partnerId}#${day}`),
  signupsFrom: (programId: number, partnerId: number, day: Day, addressHash: string) =>
    keyOf(`SIGNUPS#${programId}#${partnerId}#${day}#${addressHash}`),
  testEvent: (id: number) => keyOf(`TEST_EVENT#${id}`),
  rateWindow: (group: string, identity: string, startSeconds: number) =>
    keyOf(`WINDOW#${group}#${startSeconds}#${identity}`),
  salt: (day: Day) => keyOf(`SALT#${day}`),
  accountSalt: (workspaceId: number | undefined) => keyOf(`ACCOUNT_SALT#${workspaceId ?? 'ALL'}`),
  partnersOfAccount: (workspaceId: number, hash: string) => keyOf(`SAME_ACCOUNT#${workspaceId}#${hash}`),
  mail: (id: string) => keyOf(`MAIL#${id}`, 'MAIL'),
  mailAddress: (email: string) => keyOf(`MAIL_ADDRESS#${email}`),
  mailRefusal: (hash: string) => keyOf(`MAIL_REFUSAL#${hash}`),
  sentInvitations: (mailboxHash: string) => keyOf(`SENT_INVITATIONS#${mailboxHash}`),
  recipients: (workspaceId: number, day: Day) => keyOf(`RECIPIENTS#${workspaceId}#${day}`),
  acceptedInvitations: (workspaceId: number) => keyOf(`ACCEPTED_INVITATIONS#${workspaceId}`),
  dueMail: (at: string, about: string) => keyOf('DUE_MAILS', `${at}#${about}`),
  applicationSource: (programId: number, day: Day, source: string) =>
    keyOf(`APPLICATION_SOURCE#${programId}#${day}#${source}`),
  digestRow: (workspaceId: number, day: Day, about: string) => keyOf(`DIGEST#${workspaceId}#${day}`, about),
  blockedSender: (mailboxHash: string, workspaceId: number) =>
    keyOf(`BLOCKED_SENDERS#${mailboxHash}`, String(workspaceId)),
  mailing: (id: string) => keyOf(`MAILING#${id}`, 'MAILING'),
  edge: keyOf('EDGE'),
  clock: keyOf('CLOCK'),
  demoHistory: keyOf('DEMO_HISTORY'),
  sequence: (name: string) => keyOf(`SEQUENCE#${name}`),
  streamPosition: (consumer: string, shardId: string): Key => ({ pk: `STREAM_POSITION#${consumer}`, sk: shardId }),
};

/** Of what other systems are told; apart, so that functions without anything of it do not carry them. */
export const factKeys = {
  webhooks: (programId: number) => keyOf(`PROGRAM#${programId}`, 'WEBHOOKS'),
  fact: (programId: number, factId: string) => keyOf(`FACTS#${programId}`, factId),
  approval: (commissionId: number, partnerId: number) => keyOf(`APPROVAL#${commissionId}`, String(partnerId)),
  dueFact: (dueAt: string, about: string) => keyOf('DUE_FACTS', `${dueAt}#${about}`),
  delivery: (endpointId: number, deliveryId: string) => keyOf(`DELIVERIES#${endpointId}`, deliveryId),
  dueDelivery: (endpointId: number, dueAt: string, deliveryId: string) =>
    keyOf(`DUE_DELIVERIES#${endpointId}`, `${dueAt}#${deliveryId}`),
  replay: (endpointId: number) => keyOf(`REPLAY#${endpointId}`),
  webhookWork: (endpointId: number) => keyOf('WEBHOOK_WORK', String(endpointId).padStart(16, '0')),
};

export type EventType = 'click' | 'lead' | 'sale' | 'refund';

/**
 * Feeds of the events of one type: real ones, sales that the processor reported apart, test events, and those
 * of them that came with the program's key.
 */
export type Feed = 'EVENTS' | 'PROCESSOR_EVENTS' | 'TEST_EVENTS' | 'KEYED_TEST_EVENTS';

interface Listed {
  readonly isTest?: boolean;
  readonly keyed?: boolean;
  readonly source?: 'api' | 'processor';
}

export const feedOf = ({ isTest, keyed, source }: Listed): Feed => {
  if (!isTest) return source === 'processor' ? 'PROCESSOR_EVENTS' : 'EVENTS';
  return keyed ? 'KEYED_TEST_EVENTS' : 'TEST_EVENTS';
};

/**
 * A key of the index takes 1,000 writes a second; a program's real clicks may be more, so they are spread over several.
 */
const shareCount = (type: EventType, feed: Feed): number => (type === 'click' && feed === 'EVENTS' ? 16 : 1);

const feedKey = (programId: number, type: EventType, feed: Feed, share: number): string =>
  `PROGRAM#${programId}#${feed}#${type}${share === 0 ? '' : `#${share}`}`;

/** All keys of the index under which the events of a feed are listed. */
export const feedKeys = (programId: number, type: EventType, feed: Feed): readonly string[] =>
  Array.from({ length: shareCount(type, feed) }, (_, share) => feedKey(programId, type, feed, share));

/** The golden ratio of 2^32: multiples of it are spread evenly, of ids in a row and of the first ids of many blocks. */
const GOLDEN_RATIO = 0x9e3779b1;
const shareOf = (id: number, shares: number): number =>
  Math.floor(((Math.imul(id, GOLDEN_RATIO) >>> 0) / 2 ** 32) * shares);

/** The place of an event in its feed. */
export const eventPosition = (createdAt: string, id: number): string => `${createdAt}#${id}`;

/** Sorts after every position of a day, in lists whose positions begin with the time. */
export const endOfDay = (day: Day): string => `${day}U`;

export const indexKeys = {
  program: (workspaceId: number, createdAt: string, id: number): IndexKey => ({
    gsi1pk: `WORKSPACE#${workspaceId}#PROGRAMS`,
    gsi1sk: `${createdAt}#${id}`,
  }),
  link: (programId: number, createdAt: string, shortLink: string): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#LINKS`,
    gsi1sk: `${createdAt}#${shortLink}`,
  }),
  partner: (programId: number, createdAt: string, partnerId: number): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#PARTNERS`,
    gsi1sk: `${createdAt}#${partnerId}`,
  }),
  /** Who is invited, asked to join, or was rejected, and never was a partner. */
  candidate: (programId: number, createdAt: string, partnerId: number): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#CANDIDATES`,
    gsi1sk: `${createdAt}#${partnerId}`,
  }),
  /** The same, behind all others: a letter sorts after the digits of a time. */
  queuedCandidate: (programId: number, createdAt: string, partnerId: number): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#CANDIDATES`,
    gsi1sk: `queued#${createdAt}#${partnerId}`,
  }),
  code: (programId: number, createdAt: string, name: string): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#CODES`,
    gsi1sk: `${createdAt}#${name}`,
  }),
  commission: (programId: number, createdAt: string, id: number): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#COMMISSIONS`,
    gsi1sk: `${createdAt}#${id}`,
  }),
  /** Commissions that a payout may have to do with; a settled one leaves this list. What is owed for it follows behind. */
  unsettledCommission: (programId: number, createdAt: string, id: number): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#UNSETTLED_COMMISSIONS`,
    gsi1sk: `${createdAt}#${id}`,
  }),
  unattributedPayment: (programId: number, at: string, eventHash: string): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#UNSOLD_PAYMENTS`,
    gsi1sk: `${at}#${eventHash}`,
  }),
  payout: (programId: number, createdAt: string, id: number): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#PAYOUTS`,
    gsi1sk: `${createdAt}#${id}`,
  }),
  /** Until it is sent, or will not be. */
  unsentMail: (createdAt: string, id: string): IndexKey => ({ gsi1pk: 'UNSENT_MAILS', gsi1sk: `${createdAt}#${id}` }),
  suppressedAddress: (suppressedAt: string, email: string): IndexKey => ({
    gsi1pk: 'SUPPRESSED_ADDRESSES',
    gsi1sk: `${suppressedAt}#${email}`,
  }),
  /** One feed per type, test events apart: a flood of clicks cannot slow down the write of a sale. */
  event: (programId: number, type: EventType, feed: Feed, createdAt: string, id: number): IndexKey => ({
    gsi1pk: feedKey(programId, type, feed, shareOf(id, shareCount(type, feed))),
    gsi1sk: eventPosition(createdAt, id),
  }),
};

const ofPartner = (programId: number, partnerId: number, what: string): string =>
  `PARTNER#${programId}#${partnerId}#${what}`;

export const partnerIndexKeys = {
  /** What is owed for it follows behind, as in the list of the program. */
  openCommission: (programId: number, partnerId: number, place: string): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'OPEN_COMMISSIONS'),
    gsi2sk: place,
  }),
  settledCommission: (programId: number, partnerId: number, createdAt: string, id: number): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'SETTLED_COMMISSIONS'),
    gsi2sk: `${createdAt}#${id}`,
  }),
  /** By its lead, or by its first sale where there is no lead. */
  customer: (programId: number, partnerId: number, createdAt: string, id: number): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'CUSTOMERS'),
    gsi2sk: eventPosition(createdAt, id),
  }),
  code: (programId: number, partnerId: number, createdAt: string, name: string): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'CODES'),
    gsi2sk: `${createdAt}#${name}`,
  }),
  /** Claims of a payout in one currency are next to each other. */
  payoutClaim: (programId: number, partnerId: number, payout: string, step: number): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'PAYOUTS'),
    gsi2sk: `${payout}#${stepName(step)}`,
  }),
};

/** The transaction id of a customer's sale. */
export const transactionIdListedBy = ({ sk }: Key): string => sk.split('#').slice(2).join('#');

/** The program, the partner in it, the payout, the code in lower case, or the link, whose item has this key. */
export const programIdOf = ({ pk }: Key): number => Number(pk.slice('PROGRAM#'.length));
export const partnerIdOf = ({ sk }: Key): number => Number(sk.slice('PARTNER#'.length));
export const codeNameOf = ({ pk }: Key): string => pk.slice(pk.lastIndexOf('#') + 1);
export const shortLinkOf = ({ pk }: Key): string => pk.slice('LINK#'.length);
