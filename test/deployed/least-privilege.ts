import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { execPath } from 'node:process';
import { awsCommand } from '#infra/emulator/aws-command.ts';
import { deployToEmulator } from '#infra/emulator/deployment.ts';
import { iamDecisions } from '#infra/emulator/iam-decisions.ts';
import { needOf, permissionsOf, type RoleDetail } from '#infra/emulator/permissions.ts';

/**
 * Finds, for each permission, a call of the deployed tests that would be refused without it. IAM's decisions are
 * recorded while the tests run once, and a call that only one permission allows needs that permission. So one run
 * replaces hundreds.
 */

/** Permissions that no test call can need. */
const needless: readonly (readonly [RegExp, string])[] = [
  [/^(logs|xray):/, 'the emulator takes logs and traces without asking IAM'],
  [/^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$/, 'the emulator itself reads the stream'],
  [/^sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes)$/, 'the emulator itself reads the queue'],
  [/^s3:(PutObject|GetObject)$/, 'only files of more than 5 MB go to the bucket'],
];

const deployment = await deployToEmulator({ say: console.log });
try {
  const file = join(deployment.folder, 'deployment.json');
  await writeFile(file, JSON.stringify(deployment));
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.deployed.config.ts'];
  const { status } = spawnSync(execPath, words, { stdio: 'inherit', env: { ...process.env, DEPLOYMENT: file } });
  const details = await awsCommand(deployment)('iam', 'get-account-authorization-details', '--filter', 'Role');
  const decisions = await iamDecisions(deployment.folder);
  // The functions of the service have one policy with this name.
  const roles = (details.RoleDetailList as readonly RoleDetail[]).filter((role) =>
    role.RolePolicyList.some((policy) => 'PolicyName' in policy && policy.PolicyName === 'endpoint'),
  );
  const all = permissionsOf(roles);
  const rows = all
    .filter(({ action }) => !needless.some(([pattern]) => pattern.test(action)))
    .map((permission) => ({ permission, need: needOf(permission, all, decisions) }));
  console.table(
    rows.map(({ permission: { role, action }, need }) => ({
      role,
      action,
      'refused without it': need ? `${need.principal.split('/').at(-1)} on ${need.resource}` : '—',
    })),
  );
  for (const [pattern, reason] of needless) console.log(`Not judged: ${pattern.source}, because ${reason}.`);
  const unneeded = rows.filter(({ need }) => need === undefined);
  console.log(`\n${rows.length - unneeded.length} of ${rows.length} permissions are needed by a call of the tests.`);
  for (const { permission } of unneeded) console.log(`Nobody notices: ${permission.action} of ${permission.role}`);
  process.exitCode = status === 0 && unneeded.length === 0 ? 0 : 1;
} finally {
  await deployment.stop();
}
