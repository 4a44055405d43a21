import type { AuditEntry, AuditItem } from '#lib/wire/people/audit.ts';
import type { ClickReply } from '#lib/wire/traffic/click.ts';
import type { Brand, BrandShown } from '#lib/wire/programs/brand/brand.ts';
import type { Code } from '#lib/wire/programs/codes/code.ts';
import type { Commission, DecidedCommission } from '#lib/wire/earnings/commission.ts';
import type { RequestedErasure } from '#lib/wire/traffic/customer-export.ts';
import type { Customer, UnlinkedCustomer } from '#lib/wire/traffic/customer.ts';
import type { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';
import type { TrackedEvent } from '#lib/wire/reports/event.ts';
import type { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';
import type { FactRow } from '#lib/wire/outbox/fact.ts';
import type { LeadReply } from '#lib/wire/conversions/lead.ts';
import type { CompletedLogin, LoginRequest, PolledLogin, StartedLogin } from '#lib/wire/people/login.ts';
import type { ExportedPerson } from '#lib/wire/reports/portal-export.ts';
import type { Billing } from '#lib/wire/partners/portal-billing.ts';
import type { Payer } from '#lib/wire/people/payer.ts';
import type { Deleted, PayoutDetails } from '#lib/wire/partners/portal-payout-details.ts';
import type { ChangedLine, CommissionInLine, PayoutLine } from '#lib/wire/earnings/payout-line.ts';
import type { ListedPayout, Owed, Payout, PayoutPreview } from '#lib/wire/earnings/payout.ts';
import type { Statement } from '#lib/wire/reports/statement.ts';
import type { PayoutFiles } from '#lib/wire/earnings/payout-files.ts';
import type { Invited } from '#lib/wire/partners/invited.ts';
import type {
  AcceptedTerms,
  Partner,
  PortalLink,
  RankedLink,
  RankedPartner,
  ReferralLink,
} from '#lib/wire/partners/partner.ts';
import type {
  Declined,
  LoginToken,
  Me,
  Member,
  OwnAddress,
  Removed,
  Revoked,
  RevokedTokens,
  Session,
  Workspace,
} from '#lib/wire/people/people.ts';
import type { Performance } from '#lib/wire/reports/performance.ts';
import type {
  ExplainedCommission,
  PaidCommission,
  PortalBalances,
  PortalCommission,
  PortalCustomer,
  PortalPayout,
  PortalPerformance,
} from '#lib/wire/reports/portal-figures.ts';
import type { PortalOverview } from '#lib/wire/reports/portal-overview.ts';
import type {
  Closed,
  Joined,
  Left,
  MailChoice,
  PortalMe,
  PortalProgram,
  ProgramToJoin,
} from '#lib/wire/partners/portal-program.ts';
import type {
  ConnectStart,
  DisconnectedProcessor,
  ForwardedEvent,
  Processor,
  RetriedPayment,
  UnattributedPayment,
} from '#lib/wire/conversions/processor.ts';
import type {
  CreatedProgram,
  GeneratedKey,
  ListedProgram,
  Program,
  ProgramHealth,
} from '#lib/wire/programs/program.ts';
import type { ChainResult, Readiness, SentTestEvent } from '#lib/wire/reports/readiness.ts';
import type { OwnersRefund, RefundReply } from '#lib/wire/conversions/refund.ts';
import type { RulesPreview } from '#lib/wire/programs/rules-preview.ts';
import type { SaleReply } from '#lib/wire/conversions/sale.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';
import type { Group, ListedTerms, TermsPreview } from '#lib/wire/programs/terms.ts';
import type {
  NewWebhookEndpoint,
  QueuedReplay,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookSecret,
} from '#lib/wire/outbox/webhook.ts';
import type { Data } from '#lib/wire/words/wrapped.ts';

// The types of replies, by kind of function. A function that replies with anything else does not compile.

/** Complete bodies of the routes that read program keys. */
export type ProgramKeyReply =
  | ClickReply
  | LeadReply
  | SaleReply
  | RefundReply
  | ForwardedEvent
  | Readiness
  | Data<ProgramHealth>
  | Data<SentTestEvent>
  | Data<ChainResult>;

/** `data` of the routes of the dashboard, the agents and the command line's logins. */
export type AccountData =
  | StartedLogin
  | CompletedLogin
  | LoginRequest
  | PolledLogin
  | CreatedProgram
  | ListedProgram[]
  | Session
  | Me
  | OwnAddress
  | Workspace
  | Member
  | LoginToken[]
  | Revoked
  | RevokedTokens
  | Removed
  | Declined
  | Program
  | GeneratedKey
  | Partner
  | Group
  | ReferralLink
  | PortalLink
  | Code
  | Readiness
  | ChainResult
  | Processor
  | DisconnectedProcessor
  | ConnectStart
  | RetriedPayment
  | WebhookEndpoint
  | NewWebhookEndpoint
  | WebhookSecret
  | WebhookDelivery
  | QueuedReplay
  | Performance
  | RulesPreview
  | TermsPreview
  | ExplainedSale
  | OwnersRefund
  | CustomerHistory
  | UnlinkedCustomer
  | RequestedErasure
  | SearchResult[]
  | Commission
  | DecidedCommission[]
  | Invited[]
  | Owed
  | Payout
  | PayoutPreview
  | PayoutFiles
  | Statement
  | PayoutLine
  | ChangedLine[]
  | PayoutDetails
  | Billing
  | Payer
  | Brand
  | BrandShown
  | ExportedPerson
  | null
  | PortalMe
  | PortalProgram
  | PortalPerformance
  | PortalOverview
  | PortalBalances
  | ExplainedCommission
  | ProgramToJoin
  | Joined
  | Left
  | Closed
  | Deleted
  | MailChoice
  | AcceptedTerms;

/** The types of the rows in lists. */
export type Row =
  | AuditEntry
  | AuditItem
  | Program
  | RankedPartner
  | Group
  | ListedTerms
  | RankedLink
  | PortalLink
  | Code
  | Member
  | TrackedEvent
  | FactRow
  | Commission
  | Customer
  | ListedPayout
  | PayoutLine
  | CommissionInLine
  | UnattributedPayment
  | WebhookEndpoint
  | WebhookDelivery
  | PaidCommission
  | PortalCommission
  | PortalCustomer
  | PortalPayout;
