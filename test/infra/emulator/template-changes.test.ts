import { expect, it } from 'vitest';
import type { Resource, Template } from '#infra/emulator/template.ts';
import { templateChanges } from '#infra/emulator/template-changes.ts';

const changed = (resources: Readonly<Record<string, Resource>>): Template['Resources'] =>
  templateChanges.reduce<Template>((template, { apply }) => apply(template, { port: 4566 }), { Resources: resources })
    .Resources;

const stays: Resource = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 360 } };

const policy = (...Statement: object[]) => ({
  Type: 'AWS::S3::BucketPolicy',
  Properties: { PolicyDocument: { Statement } },
});

const role = (Statement: object) => ({ Type: 'AWS::IAM::Role', Properties: { Statement: [Statement] } }) as Resource;

it.each<[string, Resource]>([
  ['the style of the sign-in pages', { Type: 'AWS::Cognito::ManagedLoginBranding' }],
  ['an alarm over several metrics', { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: [] } }],
])('the template for the emulator omits %s', (_what, resource) => {
  expect(changed({ Gone: resource, Queue: stays })).toEqual({ Queue: stays });
});

it('the template for the emulator keeps an alarm on a single metric', () => {
  const alarm = { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Errors' } };
  expect(changed({ Alarm: alarm })).toEqual({ Alarm: alarm });
});

it('the template for the emulator contains the emulator’s URLs of the issuer and its keys', () => {
  const pool = { Type: 'AWS::Cognito::UserPool' };
  const issuer = { 'Fn::GetAtt': ['Pool', 'ProviderURL'] };
  const environment = {
    OIDC_ISSUER: issuer,
    OIDC_JWKS_URL: { 'Fn::Join': ['', [issuer, '/.well-known/jwks.json']] },
  };
  const told = {
    'Fn::Join': ['', ['https://cognito-idp.', { Ref: 'AWS::Region' }, '.amazonaws.com/', { Ref: 'Pool' }]],
  };
  expect(changed({ Pool: pool, Function: { Type: 'AWS::Lambda::Function', Properties: environment } })).toEqual({
    Pool: pool,
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        OIDC_ISSUER: told,
        OIDC_JWKS_URL: {
          'Fn::Join': [
            '',
            ['http://127.0.0.1:4566/', { 'Fn::Select': [3, { 'Fn::Split': ['/', told] }] }, '/.well-known/jwks.json'],
          ],
        },
      },
    },
  });
});

it('the template for the emulator makes CloudFront call the emulator’s API, and does not change buckets', () => {
  const bucket = { DomainName: 'files', S3OriginConfig: {} };
  const origin = { Id: 'api', DomainName: 'x.execute-api', CustomOriginConfig: { OriginProtocolPolicy: 'https-only' } };
  const distribution = { Type: 'AWS::CloudFront::Distribution', Properties: { Origins: [bucket, origin] } };
  const { Edge } = changed({ Api: { Type: 'AWS::ApiGatewayV2::Api' }, Edge: distribution });
  expect(Edge?.Properties?.Origins).toEqual([
    bucket,
    {
      Id: 'api',
      DomainName: '127.0.0.1',
      OriginPath: { 'Fn::Join': ['', ['/_aws/execute-api/', { Ref: 'Api' }, '/$default']] },
      CustomOriginConfig: { OriginProtocolPolicy: 'http-only', HTTPPort: 4566 },
    },
  ]);
});

it('the template for the emulator has all policies except the denial of unencrypted HTTP', () => {
  const allow = { Effect: 'Allow', Action: 's3:GetObject' };
  const deny = { Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
  expect(changed({ Policy: policy(deny, allow) as Resource })).toEqual({ Policy: policy(allow) });
});

it('the template for the emulator allows sending mails from any identity', () => {
  const permission = {
    Effect: 'Allow',
    Action: 'ses:SendEmail',
    Resource: ['arn:identity'],
    Condition: { Equals: {} },
  };
  expect(changed({ Role: role(permission) })).toEqual({
    Role: role({ Effect: 'Allow', Action: 'ses:SendEmail', Resource: '*' }),
  });
});

it('the template for the emulator allows keys in any encryption context, and has all other conditions', () => {
  const decrypt = { Effect: 'Allow', Action: 'kms:Decrypt', Resource: 'arn:key' };
  const Condition = { 'ForAnyValue:StringEquals': { 'kms:EncryptionContextKeys': 'program_id' } };
  const keyed = { ...decrypt, Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['EDGE'] } } };
  expect(changed({ Role: role({ ...decrypt, Condition }), Other: role(keyed) })).toEqual({
    Role: role(decrypt),
    Other: role(keyed),
  });
});
