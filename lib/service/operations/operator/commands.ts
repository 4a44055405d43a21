import type { IssuedAgentKey } from '#lib/service/ground/addresses/credential.ts';
import {
  argument,
  type Command,
  command,
  commandWithOneOf,
  switchedOn,
} from '#lib/service/operations/operator/command.ts';
import { email, id, identifier, name, legacyKey, scopes, time } from '#lib/service/operations/operator/kinds.ts';
import { checkRestore } from '#lib/service/operations/restore/check-restore.ts';
import { closeAccountOf } from '#lib/service/programs/closing/close-account.ts';
import { clearKeyRotation } from '#lib/service/programs/keys/clear-key-rotation.ts';
import { listPartnersByAddress } from '#lib/service/programs/addresses/list-by-address.ts';
import { listWords } from '#lib/service/programs/words/list-words.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { freezePayouts } from '#lib/service/earnings/payouts/freeze-payouts.ts';
import { importLegacyKey } from '#lib/service/programs/keys/import-legacy-key.ts';
import { issueAgentKey } from '#lib/service/programs/keys/issue-agent-key.ts';
import { listAgentKeys } from '#lib/service/programs/keys/list-agent-keys.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { type NotRebuilt, rebuildAllMetrics } from '#lib/service/reports/counting/rebuild-all.ts';
import { rebuildMetrics, type Rebuilt } from '#lib/service/reports/counting/rebuild-metrics.ts';
import { repairAllSales, repairSale, type SaleRepair } from '#lib/service/conversions/sales/repair-sale.ts';
import { revokeAgentKey } from '#lib/service/programs/keys/revoke-agent-key.ts';
import { liftAddress, listSuppressed } from '#lib/service/outbox/mail/suppress-address.ts';
import { suspendAccount, unsuspendAccount } from '#lib/service/operations/erasure/suspend-account.ts';
import { unlinkCustomer } from '#lib/service/traffic/customers/unlink-customer.ts';
import { unlinkLink } from '#lib/service/programs/links/unlink-link.ts';

/** All operator commands. */
export const commands: readonly Command[] = [
  command({
    name: 'agent-key issue',
    takes: { workspace: id, scopes, name },
    run: async (deps, { workspace: workspaceId, ...named }) => {
      const { id: keyId, key } = await issueAgentKey(deps, { workspaceId, ...named });
      return {
        json: { id: keyId, key, workspace_id: workspaceId, ...named },
        text: `Agent key ${keyId} of workspace ${workspaceId}. Its value is shown this once:\n${key}`,
      };
    },
  }),
  command({
    name: 'agent-key revoke',
    takes: { id: argument(id) },
    run: async (deps, { id: keyId }) => {
      await revokeAgentKey(deps, keyId);
      return { json: { id: keyId, revoked: true }, text: `Agent key ${keyId} is revoked.` };
    },
  }),
  command({
    name: 'agent-key list',
    takes: {},
    run: async (deps) => {
      const issued = await listAgentKeys(deps);
      return {
        json: { keys: issued.map(agentKeyRow) },
        text: issued.map(agentKeyLine).join('\n') || 'No agent key was issued.',
      };
    },
  }),
  command({
    name: 'key mark-rotation',
    takes: { program: id, deadline: time },
    run: async (deps, { program, deadline }) => {
      const { rotationMarkedAt, rotationDeadline } = await markKeyForRotation(deps, program, deadline);
      return {
        json: { program_id: program, rotation_marked_at: rotationMarkedAt, rotation_deadline: rotationDeadline },
        text: `The key of program ${program} must be replaced by ${rotationDeadline}.`,
      };
    },
  }),
  command({
    name: 'key clear-rotation',
    takes: { program: id },
    run: async (deps, { program }) => {
      await clearKeyRotation(deps, program);
      return {
        json: { program_id: program, cleared: true },
        text: `The key of program ${program} need not be replaced.`,
      };
    },
  }),
  command({
    name: 'key import-legacy',
    takes: { program: id, key: legacyKey },
    run: async (deps, { program, key }) => {
      const masked = await importLegacyKey(deps, program, key);
      return {
        json: { program_id: program, api_token_masked: masked },
        text: `The key of program ${program} is ${masked} from now on.`,
      };
    },
  }),
  command({
    name: 'account suspend',
    takes: { email },
    run: async (deps, given) => {
      const { accountId, tokensRevoked } = await suspendAccount(deps, given.email);
      return {
        json: { account_id: accountId, suspended: true, tokens_revoked: tokensRevoked },
        text: `Account ${accountId} is suspended. Login tokens revoked: ${tokensRevoked}.`,
      };
    },
  }),
  command({
    name: 'account unsuspend',
    takes: { email },
    run: async (deps, given) => {
      const { accountId } = await unsuspendAccount(deps, given.email);
      return { json: { account_id: accountId, suspended: false }, text: `Account ${accountId} may sign in again.` };
    },
  }),
  command({
    name: 'account close',
    takes: { email },
    run: async (deps, given) => {
      const accountId = await closeAccountOf(deps, given.email);
      return { json: { account_id: accountId, closed: true }, text: `Account ${accountId} is closed.` };
    },
  }),
  command({
    name: 'mail list-suppressed',
    takes: {},
    run: async (deps) => {
      const addresses = await listSuppressed(deps);
      return {
        json: {
          addresses: addresses.map((one) => ({ email: one.email, suppressed_at: one.suppressedAt })),
        },
        text: addresses.map((one) => `${one.suppressedAt}  ${one.email}`).join('\n') || 'Mails go to every address.',
      };
    },
  }),
  command({
    name: 'mail unsuppress',
    takes: { email },
    run: async (deps, given) => {
      await liftAddress(deps, given.email);
      return { json: { email: given.email, suppressed: false }, text: `Mails go to ${given.email} again.` };
    },
  }),
  command({
    name: 'partner list-addresses',
    takes: {},
    run: async (deps) => {
      const programIds = await listPartnersByAddress(deps);
      return {
        json: { program_ids: programIds },
        text:
          programIds.map((one) => `Program ${one}: its partners are listed by address.`).join('\n') ||
          'All are listed.',
      };
    },
  }),
  command({
    name: 'search list-words',
    takes: {},
    run: async (deps) => {
      const programIds = await listWords(deps);
      return {
        json: { program_ids: programIds },
        text: programIds.map((one) => `Program ${one}: the search finds words.`).join('\n') || 'All are listed.',
      };
    },
  }),
  command({
    name: 'link unlink',
    takes: { 'short-link': identifier('<s>') },
    run: async (deps, { 'short-link': shortLink }) => {
      await unlinkLink(deps, shortLink);
      return { json: { short_link: shortLink, partner_id: null }, text: `Link ${shortLink} has no partner.` };
    },
  }),
  command({
    name: 'customer unlink',
    takes: { 'click-id': identifier('<c>') },
    run: async (deps, { 'click-id': clickId }) => {
      await unlinkCustomer(deps, clickId);
      return { json: { click_id: clickId, partner_id: null }, text: `Customer ${clickId} has no partner.` };
    },
  }),
  commandWithOneOf({
    name: 'customer erase',
    needs: { program: id },
    oneOf: { 'click-id': identifier('<c>'), 'customer-key': identifier('<k>') },
    run: async (deps, { program: programId, 'click-id': clickId, 'customer-key': customerKey }) => {
      const erased = await eraseCustomer(deps, { programId, clickId, customerKey });
      return {
        json: { click_id: erased.clickId, erased: true, sales: erased.sales },
        text: `Customer ${erased.clickId} is erased. Sales that stay, without what names it: ${erased.sales}.`,
      };
    },
  }),
  commandWithOneOf({
    name: 'sale repair',
    needs: {},
    oneOf: { transaction: identifier('<id>'), all: switchedOn },
    run: async (deps, { transaction }) => {
      const repairs = transaction === undefined ? await repairAllSales(deps) : [await repairSale(deps, transaction)];
      return {
        json: {
          repaired: repairs.filter(({ skipped }) => !skipped).map(({ transactionId }) => transactionId),
          skipped: repairs.filter(({ skipped }) => skipped).map(({ transactionId }) => transactionId),
        },
        text: repairs.map(repairLine).join('\n') || 'No sale lacks its commission.',
      };
    },
  }),
  command({
    name: 'payouts freeze',
    takes: { workspace: id },
    run: async (deps, { workspace: workspaceId }) => {
      await freezePayouts(deps, workspaceId, true, 'operator');
      return {
        json: { workspace_id: workspaceId, payouts_frozen: true },
        text: `Payouts of workspace ${workspaceId} are frozen. Only \`payouts thaw\` ends it.`,
      };
    },
  }),
  command({
    name: 'payouts thaw',
    takes: { workspace: id },
    run: async (deps, { workspace: workspaceId }) => {
      await freezePayouts(deps, workspaceId, false, 'operator');
      return {
        json: { workspace_id: workspaceId, payouts_frozen: false },
        text: `Payouts of workspace ${workspaceId} are not frozen.`,
      };
    },
  }),
  commandWithOneOf({
    name: 'restore check',
    needs: { to: time },
    oneOf: { 'former-table': identifier('<name>'), 'former-table-lost': switchedOn },
    run: async (deps, { to: restoredTo, 'former-table': formerName }) => {
      const former = formerName === undefined ? undefined : deps.tableNamed(formerName);
      const { checked, repaired, unrepaired, sequences } = await checkRestore(deps, { restoredTo, former });
      const lines = [
        ...repaired.map((what) => `repaired  ${what}`),
        ...unrepaired.map((what) => `NOT repaired  ${what}`),
      ];
      return {
        json: { checked, repaired, unrepaired, sequences },
        text: [...lines, `Customers and sales checked: ${checked}. All sequences go on beyond every id.`].join('\n'),
      };
    },
  }),
  command({
    name: 'metrics rebuild',
    takes: { program: id },
    run: async (deps, { program }) => {
      const rebuilt = await rebuildMetrics(deps, program, { report: deps.report });
      return { json: rebuiltRow(rebuilt), text: rebuiltLine(rebuilt) };
    },
  }),
  command({
    name: 'metrics rebuild-all',
    takes: {},
    run: async (deps) => {
      const { rebuilt, failed, continuedAfter } = await rebuildAllMetrics(deps, { report: deps.report });
      return {
        json: {
          rebuilt: rebuilt.map(rebuiltRow),
          failed: failed.map(({ programId, reason }) => ({ program_id: programId, reason })),
          continued_after_program: continuedAfter ?? null,
        },
        text: [...rebuilt.map(rebuiltLine), ...failed.map(notRebuiltLine)].join('\n') || 'There is no program.',
      };
    },
  }),
];

const agentKeyRow = (key: IssuedAgentKey) => ({
  id: key.id,
  name: key.name,
  workspace_id: key.workspaceId,
  scopes: key.scopes,
  created_at: key.createdAt,
  revoked_at: key.revokedAt ?? null,
});

const agentKeyLine = (key: IssuedAgentKey) =>
  `${key.id}  ${key.name}  workspace ${key.workspaceId}  ${key.scopes.join(',')}` +
  (key.revokedAt ? `  revoked ${key.revokedAt}` : '');

const repairLine = ({ transactionId, skipped }: SaleRepair) =>
  `${transactionId}  ${skipped ? `skipped: ${skipped}` : 'repaired'}`;

const rebuiltRow = ({ programId, days, corrected, open, unsettled }: Rebuilt) => ({
  program_id: programId,
  days,
  corrected,
  left: open + unsettled,
});

const rebuiltLine = ({ programId, days, corrected, open, unsettled }: Rebuilt) =>
  `Program ${programId}: ${corrected} numbers corrected. Days with events: ${days}.` +
  (open + unsettled > 0 ? ` ${open + unsettled} numbers still change; they are compared again after the day.` : '');

const notRebuiltLine = ({ programId, reason }: NotRebuilt) => `NOT rebuilt: program ${programId}: ${reason}`;
