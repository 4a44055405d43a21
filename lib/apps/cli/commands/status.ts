import { columns } from '#lib/apps/cli/commands/columns.ts';
import type { Command } from '#lib/apps/cli/commands/command.ts';
import { askWithKey } from '#lib/apps/cli/machine/service.ts';
import type { ProgramHealth } from '#lib/wire/programs/program.ts';

export const status: Command = {
  usage: '',
  summary: "show how the key's program is doing",
  interrupted: 'Interrupted.',
  async run(invocation) {
    const data = (await askWithKey(invocation, { method: 'GET', path: '/api/v1/cli/status' })) as ProgramHealth;
    const next = data.integration_verified
      ? undefined
      : 'Next: `affitor test chain` sends a click, a lead and a sale through the service.';
    return { json: data, text: () => textOf(data), next };
  },
};

function textOf(data: ProgramHealth): string {
  const { clicks_24h: clicks, leads_24h: leads, sales_24h: sales } = data.recent_events;
  const rows = [
    ['Last 24 hours', [counted(clicks, 'click'), counted(leads, 'lead'), counted(sales, 'sale')].join(', ')],
    ['Active partners', String(data.active_partners)],
    ['Pending commissions', String(data.pending_commissions)],
    ['Leads', data.lead_auth === 'browser_allowed' ? 'from browsers and servers' : 'confirmed by your server'],
    ['Stripe', stripeText(data)],
    ['Integration', data.integration_verified ? 'verified' : 'not verified yet'],
  ];
  return `${data.name} (program ${data.program_id}, ${data.domain})\n\n${columns(rows)}`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function stripeText({ stripe_connected: isConnected, stripe_charges_enabled: charges }: ProgramHealth): string {
  if (!isConnected) return 'not connected';
  return charges ? 'connected' : 'connected, charges not enabled';
}
