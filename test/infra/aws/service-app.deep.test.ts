import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, Stack } from 'aws-cdk-lib';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { expect, it } from 'vitest';
import { builtSite } from '#infra/build/site.ts';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { serviceApp } from '#infra/aws/service-app.ts';
import { inlineCode, someSite, synthesizedWith } from '#test/infra/aws/synthesized.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
const appWith = (settings: Record<string, string>) =>
  serviceApp({ context: { ...context, ...settings }, site: someSite, codeOf: inlineCode });

/** What the synth reports without failing, warnings included. */
function reportsOf(app: App): unknown[] {
  app.synth();
  return JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')).pluginReports;
}

it.each<Record<string, string>>([
  { stage: 'dev' },
  { stage: 'prod' },
  {
    requireMfa: 'true',
    threatProtection: 'true',
    domainName: 'track.acme.test',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
    webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/acme/1',
    alarmEmail: 'ops@acme.test',
    mailFrom: 'referrals@acme.test',
  },
])('%j passes cdk-nag and the CloudFormation rules', (settings) => {
  expect(reportsOf(appWith(settings))).toEqual([]);
});

it.each<{ room: number; settings: Record<string, string> }>([
  { room: 125, settings: {} },
  { room: 115, settings: { mailFrom: 'referrals@acme.test' } },
])('has room for $room endpoints in the 500 resources that CloudFormation takes, with $settings', async (expected) => {
  // A function, its integration and its route. What it may do, others mostly may too, and they share a role.
  const perEndpoint = 3;
  const packageFolder = await mkdtemp(join(tmpdir(), 'package-folder-'));
  const site = { ...(await builtSite()), packageFolder };
  const { template } = synthesizedWith({ alarmEmail: 'ops@acme.test', ...expected.settings }, site);
  await rm(packageFolder, { recursive: true });
  const all = Object.keys(template.toJSON().Resources).length;
  const others = all - perEndpoint * deployedFunctions.length;
  const room = Math.floor((500 - others) / perEndpoint);
  expect(room, `${all} resources are used, ${others} of them not by endpoints`).toBeGreaterThanOrEqual(expected.room);
});

it.each([
  ['cdk-nag', 'AwsSolutions-S1'],
  ['the CloudFormation rules', 'F3002'],
])('a bad resource fails the synth by %s', (_, rule) => {
  const app = appWith({});
  const bucket = new CfnBucket(app.node.children.find(Stack.isStack)!, 'Open');
  bucket.addPropertyOverride('NoSuchProperty', true);
  expect(() => app.synth()).toThrow(rule);
});
