/** The document's chapters, in order. */
export const tags = [
  { name: 'Tracking', description: 'Click, lead, sale, refund. Success is a bare object with `success: true`.' },
  { name: 'Readiness', description: "Whether a brand's integration is complete." },
  { name: 'Command line', description: 'What the command line tool calls.' },
  { name: 'Dashboard: people', description: 'Sign-in, workspace, members.' },
  { name: 'Dashboard: programs', description: 'Programs, keys, partners, referral links.' },
  { name: 'Dashboard: integration', description: 'Readiness, verification, card processor.' },
  { name: 'Dashboard: webhooks', description: 'Events of a program, sent to other systems of the brand.' },
  { name: 'Dashboard: reports and payouts', description: 'Events, performance, sales, commissions, payouts.' },
  { name: 'Partner portal', description: 'What partners see of their programs, and do in them.' },
  { name: 'Agents', description: "Approved tools that act on a brand's behalf." },
  { name: 'Mail', description: 'Links in the mails of the service.' },
  { name: 'Webhooks', description: 'Events of the card processor.' },
] as const;
