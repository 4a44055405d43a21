import type { Command } from '#lib/apps/cli/commands/command.ts';
import { askAsAccount } from '#lib/apps/cli/machine/service.ts';
import { columns } from '#lib/apps/cli/commands/columns.ts';
import type { ListedProgram } from '#lib/wire/programs/program.ts';

export const programs: Command = {
  usage: '',
  summary: "list your workspace's programs",
  interrupted: 'Interrupted.',
  async run(invocation) {
    const listed = (await askAsAccount(invocation, { method: 'GET', path: '/api/v1/cli/programs' })) as ListedProgram[];
    return {
      json: { programs: listed },
      text: () => (listed.length > 0 ? tableOf(listed) : 'No program yet. `affitor init` creates one.'),
    };
  },
};

const tableOf = (listed: readonly ListedProgram[]) =>
  columns([
    ['ID', 'NAME', 'DOMAIN', 'COMMISSION', 'WINDOW', 'PARTNERS', 'KEY'],
    ...listed.map(
      ({ id, name, sandbox, domain, commission, attribution_window_days: days, partners, api_token_masked: key }) => [
        String(id),
        sandbox ? `${name} (sandbox)` : name,
        domain,
        commission,
        `${days} days`,
        String(partners),
        key,
      ],
    ),
  ]);
