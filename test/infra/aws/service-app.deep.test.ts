import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { describe, expect, it } from 'vitest';
import { builtSite } from '#infra/build/site.ts';
import { deployedFunctions, nestedStackNames } from '#infra/deployed-functions.ts';
import { serviceApp } from '#infra/aws/service-app.ts';
import { inlineCode, someSite, synthesizedWith } from '#test/infra/aws/synthesized.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
const appWith = (settings: Record<string, string>) =>
  serviceApp({ context: { ...context, ...settings }, site: someSite, codeOf: inlineCode });

/** The nested stacks of a synthesized app as stacks of an app of their own: else the CloudFormation rules leave them out. */
function nestedOf(from: App): App {
  const app = new App({ context });
  for (const file of readdirSync(from.outdir).filter((name) => name.endsWith('.nested.template.json'))) {
    const stack = new Stack(app, file.slice(0, -'.nested.template.json'.length));
    new CfnInclude(stack, 'Nested', { templateFile: join(from.outdir, file) });
  }
  expect(app.node.children.filter(Stack.isStack)).toHaveLength(nestedStackNames.length);
  const reason = 'A parameter that hands over the address of a key is named after the secrets that it seals.';
  Validations.of(app).acknowledge({ id: 'CloudFormation-Validate::W2509', reason });
  return app;
}

/** What the synth reports without failing, warnings included. */
function reportsOf(app: App): { readonly violations: unknown[] }[] {
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
  const app = appWith(settings);
  expect(reportsOf(app)).toEqual([]);
  expect(reportsOf(nestedOf(app)).flatMap(({ violations }) => violations)).toEqual([]);
});

describe.each<{ room: Record<string, number>; settings: Record<string, string> }>([
  { room: { main: 121, Quality: 150, Webhooks: 150 }, settings: {} },
  { room: { main: 115, Quality: 150, Webhooks: 150 }, settings: { mailFrom: 'referrals@acme.test' } },
])('in the 500 resources that CloudFormation takes of a stack, with $settings', ({ room: expected, settings }) => {
  it.each(Object.entries(expected))('the stack %s has room for %i endpoints', async (name, least) => {
    // A function, its integration and its route. What it may do, others mostly may too, and they share a role.
    const perEndpoint = 3;
    const packageFolder = await mkdtemp(join(tmpdir(), 'package-folder-'));
    const site = { ...(await builtSite()), packageFolder };
    const { stacks } = synthesizedWith({ alarmEmail: 'ops@acme.test', ...settings }, site);
    await rm(packageFolder, { recursive: true });
    expect([...stacks.keys()]).toEqual(Object.keys(expected));
    const all = Object.keys(stacks.get(name)!.toJSON().Resources).length;
    const inStack = deployedFunctions.filter(({ nestedStack = 'main' }) => nestedStack === name);
    const others = all - perEndpoint * inStack.length;
    const room = Math.floor((500 - others) / perEndpoint);
    expect(room, `${all} resources are used, ${others} of them not by endpoints`).toBeGreaterThanOrEqual(least);
  });
});

/** An app with a bucket that is open to all and has a property that there is none of. */
function appWithBucketIn(where: 'main' | 'nested'): App {
  const app = appWith({});
  const main = app.node.children.find(Stack.isStack)!;
  const bucket = new CfnBucket(where === 'main' ? main : main.node.children.find(Stack.isStack)!, 'Open');
  bucket.addPropertyOverride('NoSuchProperty', true);
  return app;
}

describe('a bad resource', () => {
  it.each([
    ['cdk-nag', 'AwsSolutions-S1'],
    ['the CloudFormation rules', 'F3002'],
  ])('fails the synth by %s', (_, rule) => {
    expect(() => appWithBucketIn('main').synth()).toThrow(rule);
  });

  it('of a nested stack fails the synth by cdk-nag, and the rules as a stack of its own', () => {
    const app = appWithBucketIn('nested');
    expect(() => app.synth()).toThrow('AwsSolutions-S1');
    expect(() => nestedOf(app).synth()).toThrow('F3002');
  });
});
