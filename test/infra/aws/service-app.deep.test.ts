import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Stack } from 'aws-cdk-lib';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { expect, it } from 'vitest';
import { routes } from '#infra/routes.ts';
import { serviceApp } from '#infra/aws/service-app.ts';
import { inlineCode, someSite, templateWith } from '#test/infra/aws/synthesized.ts';

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
  },
])('%j passes cdk-nag and the CloudFormation rules', (settings) => {
  expect(reportsOf(appWith(settings))).toEqual([]);
});

it('leaves room in the 500 resources that CloudFormation takes', () => {
  // Each function has itself, its role and its integration; each route has itself and its permission.
  const perEndpoint = 5;
  const { Resources } = templateWith().toJSON();
  expect(Object.keys(Resources).length - perEndpoint * (routes.length + 1)).toBeLessThan(96);
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
