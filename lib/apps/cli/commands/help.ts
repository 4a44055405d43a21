import { columns } from '#lib/apps/cli/commands/columns.ts';
import type { CommandName } from '#lib/apps/cli/commands/command-line.ts';
import { commands } from '#lib/apps/cli/commands/commands.ts';

const flags = [
  ['--json', 'print one JSON object and nothing else'],
  ['--no-interactive', 'ask nothing and open no browser'],
  ['--auto-confirm', 'take every confirmation as given'],
  ['--quiet', 'print results and failures only'],
  ['--verbose', 'print every request'],
  ['--api-key <key>', 'program key, else SERVICE_API_KEY, else .service/.env'],
  ['--api-url <url>', "the service, else SERVICE_API_URL, else .service/config.json, else the login's"],
  ['--version, --help', ''],
];

const initFlags = [
  ['--name <n>', 'of the program'],
  ['--domain <d>', 'of your website'],
  [
    '--commission-type <t>',
    'percent or fixed (renewals excluded), recurring_percent or recurring_fixed (with renewals)',
  ],
  ['--commission-rate <r>', 'percent, or units of the currency'],
  ['--duration-months <m>', 'of recurring commissions, at most 120; else as long as the customer pays'],
  ['--attribution-window <days>', 'between click and signup, at most 365; else 60'],
  ['--sandbox', 'for rehearsals: test payments of Stripe earn, and nothing is paid out'],
];

const listenFlags = [
  ['--forward <url>', 'where each event is sent, such as http://localhost:3000/hooks; http on this machine only'],
  ['', 'signed with SERVICE_WEBHOOK_SECRET, else with a secret that is made and printed'],
  ['--events <a,b>', 'only these, such as sale.recorded,sale.refunded'],
  ['--program <id>', "the program, else .service/config.json's, else your only one"],
];

const ownFlags: Partial<Record<CommandName, readonly (readonly string[])[]>> = { init: initFlags, listen: listenFlags };

export function help(command: CommandName | undefined): string {
  if (command !== undefined) {
    const { usage, summary } = commands[command];
    const known = ownFlags[command];
    const own = known ? `\n\n${block(known)}` : '';
    return (
      `affitor ${command} ${usage}`.trimEnd() + `\n\n  ${summary}${own}\n\nFlags of every command:\n${block(flags)}`
    );
  }
  const list = Object.entries(commands).map(([name, { usage, summary }]) => [
    `affitor ${name} ${usage}`.trimEnd(),
    summary,
  ]);
  return `Usage: affitor <command> [flags]\n\n${block(list)}\n\nFlags:\n${block(flags)}`;
}

const block = (rows: readonly (readonly string[])[]) => columns(rows).replaceAll(/^/gm, '  ');
