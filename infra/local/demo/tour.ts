import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';
import type { Demo } from '#infra/local/demo/demo.ts';

/** Returns shell commands, to be run in order, that send a click, a lead, a sale and a refund. */
export function guidedTour(
  baseUrl: string,
  { program_id: programId, program_api_key: key, owner_email: owner, partner, link }: Demo,
): string {
  const post = (path: string, body: string) =>
    `curl -s ${baseUrl}/api/v1/track/${path} -H "Content-Type: application/json" -H "Authorization: Bearer ${key}" -d ${body}; echo`;
  return `
  Open the dashboard and sign in as ${owner}: on this machine an address is enough. ${partner.name}, a partner,
  signs in at ${baseUrl}${entryPaths.portal} as ${partner.email}.

  A tour. Paste the lines in this order into a second terminal.

  # A visitor follows the referral link of ${partner.name}:
  CLICK=$(curl -s ${baseUrl}/api/v1/track/click -H "Content-Type: application/json" -d '{"affiliate_url":"https://acme.test/?aff=${link}"}' | sed 's/.*"click_id":"\\([^"]*\\)".*/\\1/'); echo "$CLICK"

  # signs up:
  ${post('lead', '"{\\"click_id\\":\\"$CLICK\\",\\"customer_key\\":\\"user-$CLICK\\"}"')}

  # pays 49 dollars, of which ${partner.name} gets 20 percent:
  ${post('sale', '"{\\"transaction_id\\":\\"order-$CLICK\\",\\"customer_key\\":\\"user-$CLICK\\",\\"amount_cents\\":4900}"')}

  # and gets the money back:
  ${post('refund', '"{\\"transaction_id\\":\\"order-$CLICK\\"}"')}

  Each of these is an event that a webhook can tell your systems. To see events as they happen, in a third terminal:

  npm run -s affitor -- login --api-url ${baseUrl}
  npm run -s affitor -- listen --program ${programId}
`;
}

/** Instructions for a local run without a demo. */
export const firstSteps = (baseUrl: string): string => `
  There is no demo. To begin, open ${baseUrl}/ and sign in: on this machine any e-mail address is enough. Create a
  workspace and a program there; its set-up page shows the next steps.

  Or in a terminal, in the folder of your project: affitor login --api-url ${baseUrl}
`;
