import { commissionTypes } from '#lib/apps/web/format.ts';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';

/** The settings whose values are selected from a list, and the words for these values. */
export const settingChoices = {
  commission_type: commissionTypes,
  commission_base: [
    ['gross', 'The whole amount of a sale'],
    ['excluding_tax', 'The amount without tax'],
  ],
  lead_auth: [
    ['server_required', 'Stay provisional until your server confirms them'],
    ['browser_allowed', 'Count at once'],
  ],
  code_precedence: [
    ['link_first', 'The link first'],
    ['code_first', 'The code first'],
  ],
  terms_apply: [
    ['current', 'The terms of their time'],
    ['first_sale', 'The terms of the first sale'],
  ],
  join: [
    ['closed', 'Only people whom you add or invite'],
    ['apply', 'Also applicants whom you accept'],
    ['open', 'Everyone who asks'],
  ],
} as const satisfies Readonly<Record<string, readonly Option[]>>;
