import type { Deps } from '#lib/service/deps.ts';
import { localIdentity } from '#infra/local/local-identity.ts';
import { readSecretFile, writeSecretFile } from '#infra/local/secret-file.ts';
import { findLink } from '#lib/service/store/links.ts';
import { findPartnerByEmail } from '#lib/service/store/partners.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { addPartner } from '#lib/service/use-cases/add-partner.ts';
import { createLink } from '#lib/service/use-cases/create-link.ts';
import { createProgram } from '#lib/service/use-cases/create-program.ts';
import { createWorkspace } from '#lib/service/use-cases/create-workspace.ts';
import { generateProgramKey } from '#lib/service/use-cases/generate-program-key.ts';
import { joinWorkspace } from '#lib/service/use-cases/answer-invitation.ts';
import { setMember } from '#lib/service/use-cases/set-member.ts';
import { signInOwn } from '#lib/service/use-cases/sign-in.ts';
import { setLinkStatus } from '#lib/service/use-cases/set-link-status.ts';

/** The values for trying the service, in the form of `.local/run.json`. */
export interface Demo {
  readonly workspace_id: number;
  readonly program_id: number;
  readonly program_api_key: string;
  readonly owner_email: string;
  readonly member_email: string;
  readonly partner: { readonly id: number; readonly name: string; readonly email: string };
  readonly link: string;
}

const LINK = 'ana';
const OWNER_EMAIL = 'owner@acme.test';
const MEMBER_EMAIL = 'member@acme.test';
const INACTIVE_LINK = 'gone';
const ana = { name: 'Ana', email: 'ana@partners.test', links: [LINK, INACTIVE_LINK] };
const ben = { name: 'Ben', email: 'ben@partners.test', links: ['ben'] };

/**
 * The demo, created unless the table holds it.
 * @param deps effects for one use-case at a time: each reads what the one before wrote
 * @param port pages served from this port may send clicks and leads
 * @param file keeps the demo's values over a restart: the table does not know the plain key
 */
export async function ensureDemo(deps: () => Deps, port: number, file?: string): Promise<Demo> {
  const kept = file && (await readSecretFile<Demo>(file));
  const existing = await findLink(deps().table, LINK);
  if (kept && kept.program_id === existing?.programId) return kept;
  const demo = await valuesOf(deps, existing?.programId ?? (await createDemo(deps, port)));
  if (file) await writeSecretFile(file, demo);
  return demo;
}

/** @returns the program's id */
async function createDemo(deps: () => Deps, port: number): Promise<number> {
  const { issuer = '' } = deps().config.openId;
  const owner = await signInOwn(deps(), localIdentity(issuer, OWNER_EMAIL));
  const workspace = await createWorkspace(deps(), owner, 'Acme');
  await setMember(deps(), workspace.id, { email: MEMBER_EMAIL, role: 'member' });
  await joinWorkspace(deps(), (await signInOwn(deps(), localIdentity(issuer, MEMBER_EMAIL))).id, workspace.id);
  const { id } = await createProgram(deps(), workspace.id, {
    name: 'Acme Pro',
    domain: 'acme.test',
    commissionType: 'percent',
    commissionRate: 20,
    leadAuth: 'server_required',
    allowedOrigins: [
      'https://acme.test',
      'https://*.acme.test',
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
    ],
  });
  for (const { name, email, links } of [ana, ben]) {
    const partner = await addPartner(deps(), id, { name, email });
    for (const shortLink of links) await createLink(deps(), id, { partnerId: partner.id, shortLink });
  }
  await setLinkStatus(deps(), id, INACTIVE_LINK, 'inactive');
  return id;
}

/** The program's plain key is lost, so it gets a new one. */
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
