import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { describe, expect, it } from 'vitest';
import { documents } from '#infra/build/documents.ts';
import { builtSite } from '#infra/build/site.ts';
import { deployedFunctions, nestedStackOf } from '#infra/deployed-functions.ts';
import { serviceApp } from '#infra/aws/service-app.ts';
import { inlineCode, someSite, synthesizedWith } from '#test/infra/aws/synthesized.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
const appWith = (settings: Record<string, string>) =>
  serviceApp({ context: { ...context, ...settings }, site: async () => someSite, codeOf: inlineCode });

/** Endpoint folders with the same kinds of resources as `track`. */
const likeTrack = /(?:Agent|Cli|Dashboard|Partner|Programs|Webhooks)\w{8}\.nested/;

/**
 * The nested stacks of a synthesized app as stacks of a separate app, because the CloudFormation rules skip nested
 * stacks. One endpoint folder represents the others; `.ci/templates` checks all.
 */
function nestedOf(from: App): App {
  const app = new App({ context });
  const nested = readdirSync(from.outdir).filter((name) => name.endsWith('.nested.template.json'));
  for (const file of nested.filter((name) => !likeTrack.test(name))) {
    const stack = new Stack(app, file.slice(0, -'.nested.template.json'.length));
    new CfnInclude(stack, 'Nested', { templateFile: join(from.outdir, file) });
  }
  expect(app.node.children.filter(Stack.isStack).length).toBeGreaterThan(0);
  const reason = 'A parameter that hands over the address of a key is named after the secrets that it seals.';
  Validations.of(app).acknowledge({ id: 'CloudFormation-Validate::W2509', reason });
  return app;
}

/** Messages of the synthesis that do not fail it, including warnings. */
function reportsOf(app: App): { readonly violations: unknown[] }[] {
  app.synth();
  return JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')).pluginReports;
}

// `.ci/templates` checks both stages without these settings.
it('a stack with all settings follows the rules of cdk-nag and of the CloudFormation linter', async () => {
  const app = await appWith({
    requireMfa: 'true',
    threatProtection: 'true',
    edgeLog: 'true',
    domainName: 'track.acme.test',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
    webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/acme/1',
    alarmEmail: 'ops@acme.test',
    mailFrom: 'referrals@acme.test',
  });
  expect(reportsOf(app)).toEqual([]);
  expect(reportsOf(nestedOf(app)).flatMap(({ violations }) => violations)).toEqual([]);
});

/** The folders of endpoints, each of which is a nested stack. */
const folders = deployedFunctions.flatMap(({ name }) => nestedStackOf(name) ?? []);

// This stack has all settings that add resources, so no other stack has more.
it('each stack has at most 400 resources, well below the CloudFormation limit of 500', async () => {
  const packageFolder = await mkdtemp(join(tmpdir(), 'package-folder-'));
  const site = { ...(await builtSite(new Date())), documents, packageFolder };
  const { stacks } = synthesizedWith({ alarmEmail: 'ops@acme.test', mailFrom: 'referrals@acme.test' }, site);
  await rm(packageFolder, { recursive: true });
  const full = [...stacks]
    .map(([name, stack]) => ({ name, resources: Object.keys(stack.toJSON().Resources).length }))
    .filter(({ resources }) => resources > 400);
  expect(full).toEqual([]);
  expect(new Set(stacks.keys())).toEqual(
    new Set(['main', 'Alarms', 'Stream', 'Schedule', 'Queue', 'Deploy', ...folders]),
  );
});

/** An app with a public bucket that has an invalid property. */
async function appWithBucketIn(where: 'main' | 'nested'): Promise<App> {
  const app = await appWith({});
  const main = app.node.children.find(Stack.isStack)!;
  const bucket = new CfnBucket(where === 'main' ? main : main.node.children.find(Stack.isStack)!, 'Open');
  bucket.addPropertyOverride('NoSuchProperty', true);
  return app;
}

describe('a resource that breaks a rule of cdk-nag or of the CloudFormation linter', () => {
  it('makes the synthesis fail, and the message names the broken rules of both', async () => {
    const app = await appWithBucketIn('main');
    expect(() => app.synth()).toThrow(/AwsSolutions-S1.*F3002|F3002.*AwsSolutions-S1/s);
  });

  it('makes the synthesis fail even if it is in a nested stack', async () => {
    const app = await appWithBucketIn('nested');
    expect(() => app.synth()).toThrow('AwsSolutions-S1');
    expect(() => nestedOf(app).synth()).toThrow('F3002');
  });
});
