import { type Counter, counterId } from '#lib/service/ground/counters/counter.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { Provider } from '#lib/service/ground/values/provider.ts';

/**
 * Every item of the table with its key and contents. "(expires)" marks items that TTL deletes.
 *
 * | Item | pk / sk | Contents |
 * |---|---|---|
 * | credential | CREDENTIAL#sha256 | credential with this secret: last use, rotation mark |
 * | agent key | AGENT_KEYS / id | issued agent key, revoked or not; never the key itself |
 * | program | PROGRAM#id / PROGRAM | settings, commission policy, origins, e-mail salt, removed partners |
 * | agreements of a program | PROGRAM#id / AGREEMENTS | terms of its groups and of single partners, membership of groups, times of bursts of clicks or signups; no item while there are none |
 * | version of terms | PROGRAM#id / TERMS#version | a version of the terms of the program, a group or a partner: when it began and ended, and its author |
 * | size of a program | PROGRAM#id / SIZE | number of links ever created; no item until there is a link |
 * | changed terms to report | PROGRAM#id / TERMS_NOTICE | the terms before the changes that partners have not been notified of, and when the mails are due |
 * | report of changed terms | PROGRAM#id / TERMS_REPORT#time (expires) | the terms before and after the changes that a mailing reports |
 * | change of terms | PROGRAM#id / TERMS_CHANGE#time#id | a change of terms of the program, a group or a partner: time and author |
 * | account | ACCOUNT#id / ACCOUNT | a person: address, name, workspace, suspension |
 * | payout details | ACCOUNT#id / PAYOUT_DETAILS | encrypted payout details of a person, with a masked form for display |
 * | held payouts | PROGRAM#id / PAYOUT_HOLD#partner (expires) | hold on a partner's payouts after a change of payout details or of the address |
 * | billing details | ACCOUNT#id / BILLING | encrypted name, address, country and tax id of a person, for statements |
 * | details at the end of a share | ACCOUNT#id / SHARED#workspace#partner#time | payout details at the time a person stopped sharing them with a workspace, so that older payouts show no newer details |
 * | identity of an account | ACCOUNT#id / IDENTITY#issuer#subject | an identity (issuer and subject) with which the account signs in |
 * | token of an account | ACCOUNT#id / TOKEN#sha256 (expires) | a login token of the account |
 * | identity | IDENTITY#issuer#subject | account that signs in with this identity |
 * | account's address | ACCOUNT_EMAIL#email | account with this e-mail |
 * | used id_token | ID_TOKEN#kind#sha256 (expires) | marks the id_token as used for one kind of session |
 * | workspace | WORKSPACE#id / WORKSPACE | a brand's name and its members with their roles |
 * | payer | WORKSPACE#id / PAYER | name, address, country and tax id with which the brand pays, and its encrypted IBAN |
 * | audit entry | AUDIT#workspace / time#id (expires) | a change in the workspace: author, target, values; sorted by time |
 * | entry of a batch | AUDIT_BATCH#workspace#sha256 of person, action, program and batch (expires) | id of the one audit entry for these requests |
 * | item of an audit entry | AUDIT_ITEMS#workspace#entry / id (expires) | an object that the requests of a batch changed, with its amount |
 * | last changes | LAST_CHANGES#kind#program#id (expires) | author and time of the last change of each field |
 * | invitation | INVITATION#email / time#workspace | an invitation of this address to a workspace, oldest first |
 * | CLI login | LOGIN#sha256 (expires) | state of a CLI login |
 * | partner in program | PROGRAM#id / PARTNER#id | a partner: name, address, status, account |
 * | partner of a workspace | PARTNER_EMAIL#workspace#email | partner id for this e-mail in the workspace, and the programs it is in |
 * | address of a partner | PARTNER_OF_EMAIL#email / PROGRAM#id | partner of the program that can be linked to the account with this address; a hint, the partner item decides |
 * | partner at a mailbox or domain | PARTNERS_AT#program#sha256 / id | marks that the partner's address has this mailbox, or ends in this domain |
 * | word of a partner, link or code | PARTNER_WORDS#workspace#first letter, LINK_WORDS#program#first letter, CODE_WORDS#program#first letter / word#place#id | leads a search to what has this word in its name, newest first |
 * | partner of an account | ACCOUNT#id / PARTNER#program | partner id of the account in the program |
 * | view as a partner | ACCOUNT#id / VIEWED_AS#program#partner | hour of the owner's latest view of the program as this partner |
 * | partner terms | PROGRAM#id / PARTNER_TERMS#version | text that partners of the program accept |
 * | brand | BRAND#program / BRAND | how the program presents itself to partners: name, color, texts, and facts of its logo |
 * | logo | BRAND#program / LOGO | the file of the program's logo |
 * | referral link | LINK#short_link | program, partner and destination for this `aff` value |
 * | code | CODE#program#code in lower case | a coupon code: partner, status |
 * | given code | GIVEN_CODES / program#code in lower case | a code that is new or was changed, until the payments that waited for it are recorded |
 * | code of the processor | PROCESSOR_CODE#program#promo_id | code of the program for this promotion code of the processor |
 * | promotion code | PROMOTION_CODE#account or program#promo_id | text of the processor's promotion code |
 * | promotion codes of a text | PROMOTION_CODES#account or program#text in lower case / promo_id | a promotion code with this text |
 * | discount | DISCOUNT#account or program#di_id | promotion code of the processor's discount, if any |
 * | payment that waits for a code | WAITING_FOR_CODE#program#promo_id or di_id / time#sha256 of the event's id (expires) | a payment that cannot be attributed until this code is known, oldest first |
 * | allowed origin | ORIGIN#pattern | programs that allow this origin |
 * | customer | CUSTOMER#click_id / CUSTOMER | a customer: first click, attribution, status |
 * | re-click | CUSTOMER#click_id / CLICK#time#id | a later click of the customer, sorted by time |
 * | lead | CUSTOMER#click_id / LEAD | the customer's only lead, provisional or settled |
 * | commission of a lead | CUSTOMER#click_id / COMMISSION | commission for the customer's settled lead |
 * | customer key | KEY#customer_key / PROGRAM#id | customer of the program with this key, and a copy of its attribution; the partition lists the programs of a key |
 * | customer key of a chain | TEST_KEY#customer_key / PROGRAM#id | the same for verification chains, kept apart from real keys |
 * | e-mail | EMAIL#program#hash / time#click_id | a customer whose settled lead has this address, earliest first |
 * | sale, commission, refund | SALE#transaction_id / SALE, COMMISSION, REFUND#time#id | all records of one sale; the key makes the transaction id globally unique |
 * | named refund | SALE#transaction_id / REFUND_ID#sha256 of the refund's id | amount of the refund with this id from the API |
 * | sale to repair | SALES_TO_REPAIR / time#transaction_id | a sale without its commission, oldest first |
 * | commission that awaits its month | AWAITING_MONTH#share / month#transaction_id | a commission created before its partner's sales of the month were final |
 * | counted month | COUNTED_MONTH | last month in which all sales are counted, and the probes that check the next one |
 * | commission's name | COMMISSION#id / OF#transaction_id, OF_LEAD#click_id, NAME | sale or lead of the commission with this id, or a mark for a manual one; its index entry is the list of commissions |
 * | manual commission | COMMISSION#id / COMMISSION | a commission that an owner granted, with the reason |
 * | external id | EXTERNAL_ID#program#external_id | the manual commission with the owner's own id |
 * | payout | PAYOUT#id | a payout: status, sums by currency |
 * | line of a payout | PAYOUT#id / LINE#partner#currency | what the payout pays to a partner in one currency: amount, status, and the commissions that the first step put into it |
 * | further claim of a line | PAYOUT#id / CLAIM#partner-currency#step | commissions that a later step added to the line |
 * | parties of a line | PAYOUT#id / PARTIES#partner#currency | who pays and who is paid on the line's statement, from the time it was sent on; what the person said is encrypted |
 * | counts of a payout's lines | PAYOUT#id / LINE_COUNTS | number and amount of its lines by status and currency, without recorded ones |
 * | claim of a payout of version 1 | PAYOUT#id / CLAIM#step#partner#currency | commissions of a partner in one currency that this step of the payout includes |
 * | reference of a payout | PAYOUT#id / REFERENCE | the owner's reference for the payment, separate from the amounts of all partners |
 * | open payout | PROGRAM#id / OPEN_PAYOUT | the payout that must be completed before another starts, and what it was asked to pay |
 * | counter | COUNTER#PROGRAM#id, COUNTER#PARTNER#program#id, COUNTER#LINK#short_link, COUNTER#CUSTOMER#click_id, COUNTER#CODE#program#code / COUNTER | all-time totals, recent days and minutes, last counted position per shard; for a link its latest click; for a customer all-time amounts; for a code its payments |
 * | counter's month, hour | the same / MONTH#month, HOUR#hour (expires) | the days of a month, or the minutes of an hour |
 * | shard | SHARDS / shard id (expires) | last sequence number of this shard that is reflected in all counters |
 * | probe | PROBE#run#number / PROBE (expires) | marks whether the stream's consumer has processed everything written before it |
 * | rebuild under way | REBUILD#program, or REBUILD_ALL (expires) | how far a rebuild of the counters is |
 * | rebuild to repeat | DUE_REBUILDS / day#program | a program whose counters still changed when they were rebuilt on this day |
 * | heartbeat | HEARTBEAT | time of the latest heartbeat, a change that both consumers of the stream receive |
 * | payment | PAYMENT#program#id of the processor (expires until it has a sale) | sale of this payment, and refunds or an invoice that wait for it |
 * | payment of a test card, or of another provider | TEST_PAYMENT#program#id, PADDLE_PAYMENT#program#id | the same, kept apart from real Stripe payments |
 * | payer | PAYER#program#customer of the processor, or key: or address: and a hash | customer who paid with this identity before; time of the first payment without attribution |
 * | subscription | SUBSCRIPTION#program#subscription_id | customer of the program who first paid for this subscription, and the sale |
 * | subscription of a customer | CUSTOMER#click_id / SUBSCRIPTION#subscription_id | the same for a further customer who pays for a subscription with this id |
 * | sale of a customer | CUSTOMER#click_id / SALE#time#transaction_id | reference to a real sale of the customer, sorted by time; no other data |
 * | payer of a customer | CUSTOMER#click_id / PAYER#customer of the processor | reference to a payer item of the customer |
 * | processor event | PROCESSOR_EVENT#endpoint#id (expires) | marks the event as processed |
 * | processor account | PROCESSOR_ACCOUNT#id | connected programs and capabilities of the account |
 * | last delivery | LAST_DELIVERY#program | the latest event for this program: how it arrived and its outcome; time of the first forwarded payment |
 * | unattributed payment | UNSOLD#program#sha256 of the event's id (expires) | a payment that did not become a sale: reason, and data for a retry |
 * | connection under way | CONNECT#sha256 (expires) | person and program of a connection that was started |
 * | erasure | ERASURE#program#sha256 of a customer key (expires) | id of the erased customer who had this key |
 * | erasure under way | DUE_ERASURES / click_id | an erasure that the schedule must finish, and how far it is |
 * | test event | TEST_EVENT#id | a test click or lead (a test sale is a sale) |
 * | rate window | WINDOW#group#start#identity (expires) | number of requests in the window, or in this second to this host; for clicks one item per network and day, with its visitors |
 * | salt of a day | SALT#day (expires) | salt with which addresses are hashed on this day |
 * | salt of accounts | ACCOUNT_SALT#workspace, or ALL | salt with which payout accounts are hashed in the workspace |
 * | partners of an account | SAME_ACCOUNT#workspace#hash | partners of the workspace who are paid to the same account |
 * | signups of a day | SIGNUPS#program#partner#day, followed by #hash of an address (expires) | number of signups for the partner, in total or from this address |
 * | test partner of a program's chains | PROGRAM#id / FIXTURE | test partner to which verification chains are attributed |
 * | latest chain | PROGRAM#id / CHAIN | result of the latest verification chain |
 * | sequence | SEQUENCE#name | highest id issued |
 * | stream position | STREAM_POSITION#consumer / shard | local run only: position up to which the stream has been read |
 * | edge | EDGE | hashes of the secrets with which CloudFront identifies its requests |
 * | mail | MAIL#sha256 of fact and address (expires) | a mail to one address: contents and status |
 * | address of mails | MAIL_ADDRESS#email | whether the address has unsubscribed, or is suppressed after a bounce or complaint |
 * | refusal of mails | MAIL_REFUSAL#sha256 (expires) | address and workspace that an unsubscribe link belongs to |
 * | invitations of a mailbox | SENT_INVITATIONS#sha256 of the mailbox (expires) | invitations sent to the mailbox within the last seven days |
 * | recipients of a day | RECIPIENTS#workspace#day (expires) | number of people whom the workspace invited on this day for the first time in a while |
 * | accepted invitations | ACCEPTED_INVITATIONS#workspace | number of accepted invitations of the workspace |
 * | mails that are due | DUE_MAILS / time#what about | a mail scheduled for this time, if its reason still applies then |
 * | source of applications | APPLICATION_SOURCE#program#day#source (expires) | number of the day's applications from this network (hashed with the salt of the day) or mail domain |
 * | row of a digest | DIGEST#workspace#day / program#what about (expires) | something that the workspace's owners must decide, for the digest of the day |
 * | blocked sender | BLOCKED_SENDERS#sha256 of the mailbox / workspace | marks that the mailbox accepts no mails of the workspace's programs |
 * | webhook endpoints | PROGRAM#id / WEBHOOKS | webhook endpoints of the program; no item until there is one |
 * | fact | FACTS#program / id of the fact, which begins with its time (expires) | an event in the program, sorted by time |
 * | scheduled fact | DUE_FACTS / time#what about | a fact that will be created at this time, if it still applies then |
 * | approval | APPROVAL#commission / partner (expires) | time of the first approval of the partner's commission |
 * | delivery | DELIVERIES#endpoint / id, which begins with the fact's time (expires) | delivery of a fact to this endpoint, and its status |
 * | due delivery | DUE_DELIVERIES#endpoint / time of the next attempt#id (expires) | a delivery that must be attempted, sorted by time |
 * | replay | REPLAY#endpoint (expires) | facts that must still be sent to the endpoint again |
 * | work of an endpoint | WEBHOOK_WORK / endpoint | next time at which the endpoint has something to send, and the run that is sending |
 * | mailing | MAILING#sha256 of the fact (expires) | progress of sending a fact to a group of recipients |
 * | clock | CLOCK | local run only: offset of the service's time from real time |
 * | history of the demo | DEMO_HISTORY | local run only: end and progress of the demo's history |
 *
 * Items with one key part use it as pk and sk. Free text from callers comes last in a key, so that it cannot be
 * confused with another part. The index `gsi1` lists the programs of a workspace; the links, partners (separately:
 * people who may become partners), codes, payouts, commissions (all, and those that a payout may still affect),
 * unattributed payments and events (by type) of a program; and all unsent mails; each sorted by time. Real clicks are
 * spread over several index keys, so a list of them is merged. The index `gsi2` lists what belongs to one partner of a
 * program: commissions (separately: those that a payout may still affect), customers, codes, and payouts. It
 * limits how much a partner's pages have to read.
 */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The keys of an item in index `gsi1`. */
export interface IndexKey {
  readonly gsi1pk: string;
  readonly gsi1sk: string;
}

/** The keys of an item in index `gsi2`, which lists what belongs to a partner of a program. */
export interface PartnerIndexKey {
  readonly gsi2pk: string;
  readonly gsi2sk: string;
}

/** The key space of a payment's ids. Undefined means Stripe, or a provider that the brand's server did not name. */
export type PaymentSpace = 'test' | Provider;

/** The key of an item. If only one part is given, the sort key is equal to the partition key. */
const keyOf = (pk: string, sk: string = pk): Key => ({ pk, sk });

/** The kinds of objects that can be searched by the words of their names. */
export type WordList = 'PARTNER' | 'LINK' | 'CODE';

/** A part of a sort key that makes higher numbers sort first. */
const newestFirst = (order: number): string => String(Number.MAX_SAFE_INTEGER - order).padStart(16, '0');

const stepName = (step: number): string => String(step).padStart(6, '0');

export const keys = {
  credential: (hash: string) => keyOf(`CREDENTIAL#${hash}`),
  agentKey: (id: number) => keyOf('AGENT_KEYS', String(id).padStart(16, '0')),
  program: (programId: number) => keyOf(`PROGRAM#${programId}`, 'PROGRAM'),
  programSize: (programId: number) => keyOf(`PROGRAM#${programId}`, 'SIZE'),
  agreements: (programId: number) => keyOf(`PROGRAM#${programId}`, 'AGREEMENTS'),
  termsVersion: (programId: number, version: number) =>
    keyOf(`PROGRAM#${programId}`, `TERMS#${String(version).padStart(6, '0')}`),
  termsNotice: (programId: number) => keyOf(`PROGRAM#${programId}`, 'TERMS_NOTICE'),
  termsReport: (programId: number, at: string) => keyOf(`PROGRAM#${programId}`, `TERMS_REPORT#${at}`),
  termsChange: (programId: number, at: string, id: string) => keyOf(`PROGRAM#${programId}`, `TERMS_CHANGE#${at}#${id}`),
  account: (accountId: number) => keyOf(`ACCOUNT#${accountId}`, 'ACCOUNT'),
  accountToken: (accountId: number, hash: string) => keyOf(`ACCOUNT#${accountId}`, `TOKEN#${hash}`),
  payoutDetails: (accountId: number) => keyOf(`ACCOUNT#${accountId}`, 'PAYOUT_DETAILS'),
  billing: (accountId: number) => keyOf(`ACCOUNT#${accountId}`, 'BILLING'),
  /** The payout details when a person stopped sharing them with a workspace. An account's items sort by time. */
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
  workspacePayer: (workspaceId: number) => keyOf(`WORKSPACE#${workspaceId}`, 'PAYER'),
  auditEntry: (workspaceId: number, at: string, id: string) => keyOf(`AUDIT#${workspaceId}`, `${at}#${id}`),
  auditBatch: (workspaceId: number, hash: string) => keyOf(`AUDIT_BATCH#${workspaceId}#${hash}`),
  /** Numeric ids are padded, so that they sort by value. */
  auditItem: (workspaceId: number, entryId: string, id: number | string) =>
    keyOf(
      `AUDIT_ITEMS#${workspaceId}#${entryId}`,
      /^\d+$/.test(String(id)) ? String(id).padStart(16, '0') : String(id),
    ),
  /**
   * The item that records who last changed each field of an object.
   * @param programId undefined for fields that several programs share
   */
  lastChanges: (kind: string, programId: number | undefined, id: number | string) =>
    keyOf(`LAST_CHANGES#${kind}#${programId ?? ''}#${id}`),
  partnerEmail: (workspaceId: number, email: string) => keyOf(`PARTNER_EMAIL#${workspaceId}#${email}`),
  partner: (programId: number, partnerId: number) => keyOf(`PROGRAM#${programId}`, `PARTNER#${partnerId}`),
  partnerOfEmail: (email: string, programId: number) => keyOf(`PARTNER_OF_EMAIL#${email}`, `PROGRAM#${programId}`),
  partnerAt: (programId: number, placeHash: string, partnerId: number) =>
    keyOf(`PARTNERS_AT#${programId}#${placeHash}`, String(partnerId)),
  word: (list: WordList, owner: number, word: string, order: number, id: string) =>
    keyOf(`${list}_WORDS#${owner}#${/^[A-Z0-9]/.exec(word)?.[0] ?? 'OTHER'}`, `${word}#${newestFirst(order)}#${id}`),
  accountPartner: (accountId: number, programId: number) => keyOf(`ACCOUNT#${accountId}`, `PARTNER#${programId}`),
  viewedAs: (accountId: number, programId: number, partnerId: number) =>
    keyOf(`ACCOUNT#${accountId}`, `VIEWED_AS#${programId}#${partnerId}`),
  partnerTerms: (programId: number, version: number) =>
    keyOf(`PROGRAM#${programId}`, `PARTNER_TERMS#${String(version).padStart(6, '0')}`),
  brand: (programId: number) => keyOf(`BRAND#${programId}`, 'BRAND'),
  logo: (programId: number) => keyOf(`BRAND#${programId}`, 'LOGO'),
  link: (shortLink: string) => keyOf(`LINK#${shortLink}`),
  code: (programId: number, name: string) => keyOf(`CODE#${programId}#${name}`),
  givenCode: (programId: number, name: string) => keyOf('GIVEN_CODES', `${programId}#${name}`),
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
  externalId: (programId: number, externalId: string) => keyOf(`EXTERNAL_ID#${programId}#${externalId}`),
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
  dueErasure: (clickId: string) => keyOf('DUE_ERASURES', clickId),
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
  payoutLine: (payoutId: number, partnerId: number, currency: string) =>
    keyOf(`PAYOUT#${payoutId}`, `LINE#${String(partnerId).padStart(16, '0')}#${currency}`),
  payoutLineClaim: (payoutId: number, partnerId: number, currency: string, step: number) =>
    keyOf(`PAYOUT#${payoutId}`, `CLAIM#${partnerId}-${currency}#${stepName(step)}`),
  payoutLineParties: (payoutId: number, partnerId: number, currency: string) =>
    keyOf(`PAYOUT#${payoutId}`, `PARTIES#${partnerId}#${currency}`),
  payoutLineCounts: (payoutId: number) => keyOf(`PAYOUT#${payoutId}`, 'LINE_COUNTS'),
  payoutReference: (payoutId: number) => keyOf(`PAYOUT#${payoutId}`, 'REFERENCE'),
  openPayout: (programId: number) => keyOf(`PROGRAM#${programId}`, 'OPEN_PAYOUT'),
  counter: (counter: Counter) => keyOf(`COUNTER#${counterId(counter)}`, 'COUNTER'),
  counterMonth: (counter: Counter, month: string) => keyOf(`COUNTER#${counterId(counter)}`, `MONTH#${month}`),
  counterHour: (counter: Counter, hour: string) => keyOf(`COUNTER#${counterId(counter)}`, `HOUR#${hour}`),
  shard: (shardId: string) => keyOf('SHARDS', shardId),
  probe: (run: string, number: number) => keyOf(`PROBE#${run}#${number}`, 'PROBE'),
  rebuild: (programId: number) => keyOf(`REBUILD#${programId}`),
  rebuildAll: keyOf('REBUILD_ALL'),
  dueRebuild: (day: Day, programId: number) => keyOf('DUE_REBUILDS', `${day}#${programId}`),
  heartbeat: keyOf('HEARTBEAT'),
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

/** Keys of facts, webhooks and mails, in a separate object, so that other functions do not bundle them. */
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
 * The kinds of event lists. There is one list of each kind per event type. The kinds are real events, sales that the
 * processor reported, test events, and test events that were sent with the program's key.
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
 * The number of index keys over which an event list is spread. DynamoDB allows 1,000 writes per second and index key,
 * and only real clicks exceed that.
 */
const shareCount = (type: EventType, feed: Feed): number => (type === 'click' && feed === 'EVENTS' ? 16 : 1);

const feedKey = (programId: number, type: EventType, feed: Feed, share: number): string =>
  `PROGRAM#${programId}#${feed}#${type}${share === 0 ? '' : `#${share}`}`;

/** All index keys under which the events of one list are found. */
export const feedKeys = (programId: number, type: EventType, feed: Feed): readonly string[] =>
  Array.from({ length: shareCount(type, feed) }, (_, share) => feedKey(programId, type, feed, share));

/**
 * 2^32 divided by the golden ratio. Ids are multiplied by it, because the results are spread evenly, both for
 * consecutive ids and for the first ids of many blocks.
 */
const GOLDEN_RATIO = 0x9e3779b1;
const shareOf = (id: number, shares: number): number =>
  Math.floor(((Math.imul(id, GOLDEN_RATIO) >>> 0) / 2 ** 32) * shares);

/** The position of an event in its list. */
export const eventPosition = (createdAt: string, id: number): string => `${createdAt}#${id}`;

/** A position after all positions of a day, in lists whose positions begin with the time. */
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
  /** A person who was invited, has applied or was rejected, and has never been a partner. */
  candidate: (programId: number, createdAt: string, partnerId: number): IndexKey => ({
    gsi1pk: `PROGRAM#${programId}#CANDIDATES`,
    gsi1sk: `${createdAt}#${partnerId}`,
  }),
  /** A queued application. Its position begins with a letter, so it sorts after those that begin with a time. */
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
  /**
   * A commission that a payout may still affect. A settled commission is not in this list. The position ends with the
   * amount owed.
   */
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
  /** Open payouts of all programs, and failed or void lines whose payments are not completely cancelled yet. */
  payoutWork: (since: string, payoutId: number): IndexKey => ({
    gsi1pk: 'PAYOUT_WORK',
    gsi1sk: `${since}#${payoutId}`,
  }),
  /** A paid line of a payout. The position ends with the amount, so the index alone gives the sum of paid lines. */
  paidLine: (
    programId: number,
    partnerId: number,
    createdAt: string,
    payoutId: number,
    currency: string,
    cents: number,
  ): IndexKey => ({
    gsi1pk: `PARTNER#${programId}#${partnerId}#PAID_LINES`,
    gsi1sk: `${createdAt}#${payoutId}#${currency}#${cents}`,
  }),
  /** A mail, listed until it is sent or abandoned. */
  unsentMail: (createdAt: string, id: string): IndexKey => ({ gsi1pk: 'UNSENT_MAILS', gsi1sk: `${createdAt}#${id}` }),
  suppressedAddress: (suppressedAt: string, email: string): IndexKey => ({
    gsi1pk: 'SUPPRESSED_ADDRESSES',
    gsi1sk: `${suppressedAt}#${email}`,
  }),
  /**
   * An event in its list. There is one list per event type, and test events have separate lists, so that very many
   * clicks cannot slow down the write of a sale.
   */
  event: (programId: number, type: EventType, feed: Feed, createdAt: string, id: number): IndexKey => ({
    gsi1pk: feedKey(programId, type, feed, shareOf(id, shareCount(type, feed))),
    gsi1sk: eventPosition(createdAt, id),
  }),
};

const ofPartner = (programId: number, partnerId: number, what: string): string =>
  `PARTNER#${programId}#${partnerId}#${what}`;

export const partnerIndexKeys = {
  /** A partner's commission that a payout may still affect. The position ends with the amount owed. */
  openCommission: (programId: number, partnerId: number, place: string): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'OPEN_COMMISSIONS'),
    gsi2sk: place,
  }),
  settledCommission: (programId: number, partnerId: number, createdAt: string, id: number): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'SETTLED_COMMISSIONS'),
    gsi2sk: `${createdAt}#${id}`,
  }),
  /** A customer in the list of its partner, by the time of its lead, or of its first sale if it has no lead. */
  customer: (programId: number, partnerId: number, createdAt: string, id: number): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'CUSTOMERS'),
    gsi2sk: eventPosition(createdAt, id),
  }),
  code: (programId: number, partnerId: number, createdAt: string, name: string): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'CODES'),
    gsi2sk: `${createdAt}#${name}`,
  }),
  /**
   * The commissions that a step of a payout has recorded for a partner. Those of one payout and currency are adjacent
   * in the list.
   */
  payoutClaim: (programId: number, partnerId: number, payout: string, step: number): PartnerIndexKey => ({
    gsi2pk: ofPartner(programId, partnerId, 'PAYOUTS'),
    gsi2sk: `${payout}#${stepName(step)}`,
  }),
};

/** The transaction id in the key of the item that lists a sale of a customer. */
export const transactionIdListedBy = ({ sk }: Key): string => sk.split('#').slice(2).join('#');

/**
 * These functions read an id from an item's key: of the program, the partner in it, the payout, the code (in lower
 * case) or the link.
 */
export const programIdOf = ({ pk }: Key): number => Number(pk.slice('PROGRAM#'.length));
export const partnerIdOf = ({ sk }: Key): number => Number(sk.slice('PARTNER#'.length));
export const codeNameOf = ({ pk }: Key): string => pk.slice(pk.lastIndexOf('#') + 1);
export const shortLinkOf = ({ pk }: Key): string => pk.slice('LINK#'.length);
