import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Stack } from 'aws-cdk-lib';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { expect, it } from 'vitest';
import { serviceApp } from '#infra/service-app.ts';
import { inlineCode } from '#test/infra/synthesized.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
const appOf = (stage: string) => serviceApp({ context: { ...context, stage }, codeOf: inlineCode });

/** What the synth reports without failing, warnings included. */
function reportsOf(app: App): unknown[] {
  app.synth();
  return JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')).pluginReports;
}

it.each(['dev', 'prod'])('the %s stage passes cdk-nag and the CloudFormation rules', (stage) => {
  expect(reportsOf(appOf(stage))).toEqual([]);
});

it.each([
  ['cdk-nag', 'AwsSolutions-S1'],
  ['the CloudFormation rules', 'F3002'],
])('a bad resource fails the synth by %s', (_, rule) => {
  const app = appOf('dev');
  const bucket = new CfnBucket(app.node.children.find(Stack.isStack)!, 'Open');
  bucket.addPropertyOverride('NoSuchProperty', true);
  expect(() => app.synth()).toThrow(rule);
});
