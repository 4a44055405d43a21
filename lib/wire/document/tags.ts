/** The document's chapters, in order. */
export const tags = [
  {
    name: 'Tracking',
    description:
      'Clicks, leads, sales and refunds. A successful reply is a plain object with `success: true`, without an envelope.',
  },
  { name: 'Readiness', description: "Whether a brand's integration is complete." },
  { name: 'Command line', description: 'Requests of the command line tool.' },
  { name: 'Dashboard: people', description: 'Sign-in, workspace, members.' },
  { name: 'Dashboard: programs', description: 'Programs, keys, partners, referral links.' },
  { name: 'Dashboard: integration', description: 'Readiness, verification, card processor.' },
  { name: 'Dashboard: webhooks', description: "Events of a program that are sent to the brand's other systems." },
  { name: 'Dashboard: reports and payouts', description: 'Events, performance, sales, commissions, payouts.' },
  {
    name: 'Partner portal',
    description: 'Requests of partners: they read about their programs and change their own data there.',
  },
  { name: 'Agents', description: 'Requests of approved tools that act for a brand.' },
  { name: 'Mail', description: 'Links in mails of the service.' },
  { name: 'Webhooks', description: 'Events of the card processor.' },
] as const;
