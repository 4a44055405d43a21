/** The callers: the owner of the program, a partner, and a partner who was rejected first. */
export const people = {
  kim: { email: 'kim@acme.test', name: 'Kim' },
  ana: { email: 'ana@partners.test', name: 'ana' },
  ben: { email: 'ben@partners.test', name: 'ben' },
} as const;
export type Person = keyof typeof people;

const dashboard = '/api/dashboard/v1';
const program = `${dashboard}/programs/1`;
const portal = '/api/partner/v1';
const ofProgram = `${portal}/programs/1`;

const ofOwner = [
  `${dashboard}/me`,
  `${dashboard}/workspace`,
  `${dashboard}/workspace/members`,
  `${dashboard}/workspace/audit?limit=100`,
  `${dashboard}/programs`,
  program,
  `${program}/partners?limit=100`,
  `${program}/groups`,
  `${program}/links`,
  `${program}/codes`,
  `${program}/rules`,
  `${program}/readiness`,
  `${program}/events?include_test=1&limit=100`,
  `${program}/customers`,
  `${program}/commissions?limit=100`,
  `${program}/commissions.csv`,
  `${program}/sales/in_1001`,
  `${program}/sales/in_1002`,
  `${program}/sales/in_3001`,
  `${program}/owed`,
  `${program}/payouts`,
  `${program}/performance?from=2026-11-19&to=2026-11-22`,
  `${program}/processor`,
  `${program}/processor/payments`,
  `${program}/webhooks`,
  `${program}/facts?limit=100`,
  `${program}/search?q=an`,
];
const ofPartner = [
  `${portal}/me`,
  `${portal}/payout-details`,
  ofProgram,
  `${ofProgram}/links`,
  `${ofProgram}/codes`,
  `${ofProgram}/customers`,
  `${ofProgram}/commissions`,
  `${ofProgram}/payouts`,
  `${ofProgram}/balance`,
  `${ofProgram}/performance?from=2026-11-19&to=2026-11-22`,
];

/** The requests to the table in order. */
export const questions = [
  ...ofOwner.map((path) => ({ person: 'kim' as const, request: `GET ${path}` })),
  ...ofPartner.map((path) => ({ person: 'ana' as const, request: `GET ${path}` })),
  { person: 'ben' as const, request: `GET ${portal}/me` },
];
