// All pages except the first one. They are bundled as one script.
export { CodesPage } from '#lib/apps/portal/pages/codes.tsx';
export { CommissionPage } from '#lib/apps/portal/pages/earnings/commission.tsx';
export { CommissionsPage } from '#lib/apps/portal/pages/earnings/commissions.tsx';
export { CustomersPage } from '#lib/apps/portal/pages/customers.tsx';
export { LinksPage } from '#lib/apps/portal/pages/links.tsx';
export { PayoutDetailsPage } from '#lib/apps/portal/pages/earnings/payout-details.tsx';
export { PayoutPage } from '#lib/apps/portal/pages/earnings/payout.tsx';
export { PayoutsPage } from '#lib/apps/portal/pages/earnings/payouts.tsx';
export { SettingsPage } from '#lib/apps/portal/pages/settings.tsx';
export { StatementPage } from '#lib/apps/portal/pages/earnings/statement.tsx';
export { TermsPage } from '#lib/apps/portal/pages/joining/terms.tsx';
