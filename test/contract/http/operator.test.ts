import { beforeAll, describe, expect, it } from 'vitest';
import { clicked, sold } from '#test/support/payments/journeys.ts';
import { operated, refusedWith } from '#test/support/callers/operator.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// Every command's answer, in the order of a brand's life.

const AT = NOW.toISOString();
const DEADLINE = '2026-12-01T00:00:00.000Z';
const OLDER_KEY = 'an-older-key-of-the-brand';

let world: World;
let brand: Brand;
let owner: Awaited<ReturnType<typeof ownerOfBrand>>;
let clickId: string;
let agentKeyId: number;

beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  owner = await ownerOfBrand(world, brand);
  clickId = await clicked(brand);
  await sold(brand, { transaction_id: 'in_1', click_id: clickId });
});

const email = () => owner.account.email;
const issue = () =>
  `agent-key issue --workspace ${brand.program.workspaceId} --scopes program:list,program:update --name Tool`;
const issued = () => ({
  id: agentKeyId,
  name: 'Tool',
  workspace_id: brand.program.workspaceId,
  scopes: ['program:list', 'program:update'],
});

it('agent-key issue', async () => {
  const answer = await operated(world, issue());
  agentKeyId = answer.id;
  expect(answer).toEqual({ ...issued(), id: expect.any(Number), key: expect.stringMatching(/^agt_[0-9A-Za-z]{40}$/) });
});

it.each<[string, () => string, () => object]>([
  ['agent-key list', () => 'agent-key list', () => ({ keys: [{ ...issued(), created_at: AT, revoked_at: null }] })],
  ['agent-key revoke', () => `agent-key revoke ${agentKeyId}`, () => ({ id: agentKeyId, revoked: true })],
  [
    'agent-key list, after it',
    () => 'agent-key list',
    () => ({ keys: [{ ...issued(), created_at: AT, revoked_at: AT }] }),
  ],
  [
    'key mark-rotation',
    () => `key mark-rotation --program ${brand.program.id} --deadline ${DEADLINE}`,
    () => ({ program_id: brand.program.id, rotation_marked_at: AT, rotation_deadline: DEADLINE }),
  ],
  [
    'key clear-rotation',
    () => `key clear-rotation --program ${brand.program.id}`,
    () => ({ program_id: brand.program.id, cleared: true }),
  ],
  [
    'key import-legacy',
    () => `key import-legacy --program ${brand.program.id} --key ${OLDER_KEY}`,
    () => ({ program_id: brand.program.id, api_token_masked: '****rand' }),
  ],
  [
    'account suspend',
    () => `account suspend --email ${email()}`,
    () => ({ account_id: owner.account.id, suspended: true, tokens_revoked: 1 }),
  ],
  [
    'account unsuspend',
    () => `account unsuspend --email ${email()}`,
    () => ({ account_id: owner.account.id, suspended: false }),
  ],
  [
    'link unlink',
    () => `link unlink --short-link ${brand.shortLink}`,
    () => ({ short_link: brand.shortLink, partner_id: null }),
  ],
  ['customer unlink', () => `customer unlink --click-id ${clickId}`, () => ({ click_id: clickId, partner_id: null })],
  ['sale repair', () => 'sale repair --transaction in_1', () => ({ repaired: [], skipped: ['in_1'] })],
  ['sale repair --all', () => 'sale repair --all', () => ({ repaired: [], skipped: [] })],
])('%s', async (_, command, answer) => {
  expect(await operated(world, command())).toEqual(answer());
});

describe('a failure exits 1, with its message alone', () => {
  it.each([
    ['Workspace not found', 'agent-key issue --workspace 999999 --scopes program:list --name Tool'],
    ['Agent key not found', 'agent-key revoke 999999'],
    ['Program not found', `key mark-rotation --program 999999 --deadline ${DEADLINE}`],
    ['Program not found', 'key clear-rotation --program 999999'],
    ['Program not found', 'key import-legacy --program 999999 --key an-older-key-of-nobody'],
    ['This key is already in use', `key import-legacy --program 1 --key ${OLDER_KEY}`],
    ['No account has the e-mail nobody@people.test', 'account suspend --email nobody@people.test'],
    ['No account has the e-mail nobody@people.test', 'account unsuspend --email nobody@people.test'],
    ['No account has the e-mail nobody@people.test', 'account close --email nobody@people.test'],
    ['Link not found', 'link unlink --short-link nobodys'],
    ['Customer not found', 'customer unlink --click-id clk_nobody'],
    ['Sale not found', 'sale repair --transaction in_nobody'],
  ])('%s: %s', async (message, command) => {
    expect(await refusedWith(world, command)).toBe(message);
  });
});
