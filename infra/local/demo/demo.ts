import { ensureSecondBrand } from '#infra/local/demo/second-brand.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { acceptedBy } from '#infra/local/demo/demo-acceptance.ts';
import { beginHistory } from '#infra/local/demo/demo-progress.ts';
import { ana, fullDemo, INACTIVE_LINK, smallDemo } from '#infra/local/demo/demo-partners.ts';
import { firstMomentUntil } from '#infra/local/demo/demo-visitors.ts';
import { localIdentity } from '#infra/local/identity/local-identity.ts';
import { readSecretFile, writeSecretFile } from '#infra/local/run/secret-file.ts';
import { findLink } from '#lib/service/programs/links/links-items.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { createLink } from '#lib/service/programs/links/create-link.ts';
import { createProgram } from '#lib/service/programs/program/create-program.ts';
import { createWorkspace } from '#lib/service/people/workspaces/create-workspace.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { joinWorkspace } from '#lib/service/people/workspaces/answer-invitation.ts';
import { setMember } from '#lib/service/people/workspaces/set-member.ts';
import { signInOwn } from '#lib/service/people/accounts/sign-in.ts';
import { setLinkStatus } from '#lib/service/programs/links/set-link-status.ts';

/** What a person needs to try out the demo. The local run writes it to `.local/run.json`. */
export interface Demo {
  readonly workspace_id: number;
  readonly program_id: number;
  readonly program_api_key: string;
  readonly owner_email: string;
  readonly member_email: string;
  readonly partner: { readonly id: number; readonly name: string; readonly email: string };
  readonly link: string;
}

const [LINK] = ana.links;
const OWNER_EMAIL = 'owner@acme.test';
const MEMBER_EMAIL = 'member@acme.test';

export interface DemoOptions {
  readonly size: 'small' | 'full';
  /** Port of this machine. Pages on this port may send clicks and leads. */
  readonly port: number;
  /** File in which the demo's values are kept across restarts. The table does not contain the plain program key. */
  readonly file?: string;
}

/**
 * Returns the demo, and creates it if the table has none. Partners, links and codes of a full demo get the first day of
 * its history as their date; `makeHistory` adds the events.
 * @param depsAt creates effects for one action, now or at a given time; each action must see the writes of the previous
 * one
 */
export async function ensureDemo(depsAt: (at?: Date) => Deps, { size, port, file }: DemoOptions): Promise<Demo> {
  const { table, now } = depsAt();
  const kept = file && (await readSecretFile<Demo>(file));
  const existing = await findLink(table, LINK);
  if (kept && kept.program_id === existing?.programId) return kept;
  const isFull = size === 'full' && !existing;
  const deps = isFull ? () => depsAt(firstMomentUntil(now)) : depsAt;
  const demo = await valuesOf(deps, existing?.programId ?? (await createDemo(deps, port, size)));
  if (isFull) {
    // The history adds events of this second brand later. The brand is created now, so that the ids of what a person
    // creates in the meantime are always the same.
    await ensureSecondBrand(deps);
    await beginHistory(depsAt(now));
  }
  if (file) await writeSecretFile(file, demo);
  return demo;
}

/** Creates the demo's people, workspace, program, partners and links. @returns the program's id */
async function createDemo(deps: () => Deps, port: number, size: DemoOptions['size']): Promise<number> {
  const { issuer = '' } = deps().config.openId;
  const owner = await signInOwn(deps(), localIdentity(issuer, OWNER_EMAIL));
  const workspace = await createWorkspace(deps(), owner, 'Acme');
  await setMember(deps(), workspace.id, { email: MEMBER_EMAIL, role: 'member' });
  await joinWorkspace(deps(), (await signInOwn(deps(), localIdentity(issuer, MEMBER_EMAIL))).id, workspace.id);
  const { id } = await createProgram(deps(), workspace.id, {
    name: 'Acme Pro',
    domain: 'acme.test',
    // The type `percent` would pay nothing for renewals.
    ...(size === 'full' ? { commissionType: 'recurring_percent', durationMonths: 12 } : { commissionType: 'percent' }),
    commissionRate: 20,
    leadAuth: 'server_required',
    allowedOrigins: [
      'https://acme.test',
      'https://*.acme.test',
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
    ],
  });
  for (const { name, email, links } of smallDemo) {
    const [wishedLink, ...further] = links;
    const partner = await addPartner(deps(), id, { name, email, wishedLink });
    await acceptedBy(deps(), id, { name, email });
    for (const shortLink of further) await createLink(deps(), id, { partnerId: partner.id, shortLink });
  }
  await setLinkStatus(deps(), id, INACTIVE_LINK, 'inactive');
  // All partners are created now, because partners whom a person adds later must get higher ids. The history adds
  // further links.
  const others = size === 'full' ? fullDemo.slice(smallDemo.length) : [];
  for (const { name, email, links } of others) await addPartner(deps(), id, { name, email, wishedLink: links[0] });
  return id;
}

/** Returns the demo's values with a new program key, because the table stores no plain key. */
async function valuesOf(deps: () => Deps, programId: number): Promise<Demo> {
  const { table } = deps();
  const program = await findProgram(table, programId);
  const partner = program && (await findPartnerByEmail(table, program.workspaceId, ana.email));
  if (!program || !partner)
    throw new Error('The demo in this table is incomplete: start with DEMO=0, or with another table');
  const { key } = await generateProgramKey(deps(), programId);
  return {
    workspace_id: program.workspaceId,
    program_id: programId,
    program_api_key: key,
    owner_email: OWNER_EMAIL,
    member_email: MEMBER_EMAIL,
    partner: { id: partner.id, name: partner.name, email: partner.email },
    link: LINK,
  };
}
