// All pages of a program except its overview, two of the workspace, and the notices, as one script. It is loaded in the background
// after the first page, or when one of these pages is opened.
export { AuditPage } from '#lib/apps/dashboard/pages/people/audit.tsx';
export { CodesPage } from '#lib/apps/dashboard/pages/programs/codes.tsx';
export { CommissionsPage } from '#lib/apps/dashboard/pages/earnings/commissions.tsx';
export { CustomerPage } from '#lib/apps/dashboard/pages/traffic/customer.tsx';
export { CustomersPage } from '#lib/apps/dashboard/pages/traffic/customers.tsx';
export { EventsPage } from '#lib/apps/dashboard/pages/traffic/events.tsx';
export { LinkPage } from '#lib/apps/dashboard/pages/programs/link.tsx';
export { LinksPage } from '#lib/apps/dashboard/pages/programs/links.tsx';
export { MembersPage } from '#lib/apps/dashboard/pages/people/members.tsx';
export { NewPayoutPage } from '#lib/apps/dashboard/pages/earnings/new-payout.tsx';
export { PartnerPage } from '#lib/apps/dashboard/pages/partners/partner.tsx';
export { PartnersPage } from '#lib/apps/dashboard/pages/partners/partners.tsx';
export { PaymentsPage } from '#lib/apps/dashboard/pages/earnings/payments.tsx';
export { PayoutLinePage } from '#lib/apps/dashboard/pages/earnings/payout-line.tsx';
export { PayoutPage } from '#lib/apps/dashboard/pages/earnings/payout.tsx';
export { PayoutsPage } from '#lib/apps/dashboard/pages/earnings/payouts.tsx';
export { SalePage } from '#lib/apps/dashboard/pages/traffic/sale.tsx';
export { SearchPage } from '#lib/apps/dashboard/pages/search.tsx';
export { SettingsPage } from '#lib/apps/dashboard/pages/programs/settings.tsx';
export { SetupPage } from '#lib/apps/dashboard/pages/programs/setup.tsx';
export { StatementPage } from '#lib/apps/dashboard/pages/earnings/statement.tsx';
export { WebhookPage } from '#lib/apps/dashboard/pages/programs/webhook.tsx';
export { WebhooksPage } from '#lib/apps/dashboard/pages/programs/webhooks.tsx';
export { WebhookNotice } from '#lib/apps/dashboard/webhooks/webhook-notice.tsx';
