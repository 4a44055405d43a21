// All pages of a program except its overview, and the notices above them, as one script. It is loaded after the first
// page, or with one of these.
export { CodesPage } from '#lib/apps/dashboard/pages/codes.tsx';
export { CommissionsPage } from '#lib/apps/dashboard/pages/commissions.tsx';
export { CustomerPage } from '#lib/apps/dashboard/pages/customer.tsx';
export { CustomersPage } from '#lib/apps/dashboard/pages/customers.tsx';
export { EventsPage } from '#lib/apps/dashboard/pages/events.tsx';
export { LinkPage } from '#lib/apps/dashboard/pages/link.tsx';
export { LinksPage } from '#lib/apps/dashboard/pages/links.tsx';
export { NewPayoutPage } from '#lib/apps/dashboard/pages/new-payout.tsx';
export { PartnerPage } from '#lib/apps/dashboard/pages/partner.tsx';
export { PartnersPage } from '#lib/apps/dashboard/pages/partners.tsx';
export { PaymentsPage } from '#lib/apps/dashboard/pages/payments.tsx';
export { PayoutPage } from '#lib/apps/dashboard/pages/payout.tsx';
export { PayoutsPage } from '#lib/apps/dashboard/pages/payouts.tsx';
export { SalePage } from '#lib/apps/dashboard/pages/sale.tsx';
export { SearchPage } from '#lib/apps/dashboard/pages/search.tsx';
export { SettingsPage } from '#lib/apps/dashboard/pages/settings.tsx';
export { SetupPage } from '#lib/apps/dashboard/pages/setup.tsx';
export { WebhookPage } from '#lib/apps/dashboard/pages/webhook.tsx';
export { WebhooksPage } from '#lib/apps/dashboard/pages/webhooks.tsx';
export { WebhookNotice } from '#lib/apps/dashboard/webhooks/webhook-notice.tsx';
