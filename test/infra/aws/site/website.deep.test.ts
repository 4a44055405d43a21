import type { Template } from 'aws-cdk-lib/assertions';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageHeaders } from '#infra/build/page-headers.ts';
import { only, propertiesOf, someSite, synthesizedWith, templateWith } from '#test/infra/aws/synthesized.ts';

const { template, assetFolder } = synthesizedWith();
const { DistributionConfig: distribution } = only(template, 'AWS::CloudFront::Distribution').properties;

interface Origin {
  readonly Id: string;
  readonly DomainName: unknown;
}

const originOf = ({ TargetOriginId }: { TargetOriginId: string }) =>
  distribution.Origins.find(({ Id }: Origin) => Id === TargetOriginId);
const behaviorOf = (path: string) =>
  distribution.CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === path);
const functionOf = ({
  FunctionAssociations,
}: {
  FunctionAssociations: { FunctionARN: unknown; EventType: string }[];
}) => {
  const [association, ...others] = FunctionAssociations;
  expect(others).toEqual([]);
  expect(association!.EventType).toBe('viewer-request');
  return JSON.stringify(association!.FunctionARN);
};

describe('the CloudFront distribution', () => {
  it('has exactly these path patterns', () => {
    const paths = distribution.CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern);
    expect(paths).toEqual(['/docs/*', '/exports/*', '/js/*', '/api/*', '/brand/*']);
  });

  it.each([
    ['the API', behaviorOf('/api/*'), 'https-only'],
    ['logos', behaviorOf('/brand/*'), 'https-only'],
    ['pages', distribution.DefaultCacheBehavior, 'redirect-to-https'],
    ['documents', behaviorOf('/docs/*'), 'redirect-to-https'],
    ['the tracker', behaviorOf('/js/*'), 'redirect-to-https'],
    ['exports', behaviorOf('/exports/*'), 'https-only'],
  ])('serves %s over https only', (_, behavior, policy) => {
    expect(behavior.ViewerProtocolPolicy).toBe(policy);
  });

  it('supports HTTP/3', () => expect(distribution.HttpVersion).toBe('http2and3'));
});

describe('the path /api/* of the distribution', () => {
  const api = behaviorOf('/api/*');
  const origin = originOf(api);

  it('is sent to the HTTP API over TLS 1.2 or newer', () => {
    expect(origin.DomainName['Fn::Join'][1]).toContainEqual({ Ref: expect.stringMatching(/^ApiHttpApi/) });
    expect(origin.CustomOriginConfig).toEqual({ OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] });
  });

  it('adds the secret header, which proves to the functions that a request came through CloudFront', () => {
    const secret = { 'Fn::GetAtt': [expect.stringMatching(/^DeployEdgeSecret/), 'secret'] };
    expect(origin.OriginCustomHeaders).toEqual([{ HeaderName: 'referral-edge-secret', HeaderValue: secret }]);
  });

  it('is never cached, accepts every method and forwards all headers except Host', () => {
    // AWS's own ids of the policies CachingDisabled and AllViewerExceptHostHeader.
    expect(api).toMatchObject({
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
    });
  });

  it('has the headers HSTS and nosniff', () => {
    const policies = template.findResources('AWS::CloudFront::ResponseHeadersPolicy');
    expect(policies[api.ResponseHeadersPolicyId?.Ref]?.Properties.ResponseHeadersPolicyConfig).toEqual({
      Name: expect.anything(),
      SecurityHeadersConfig: {
        ContentTypeOptions: { Override: true },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: false, Override: true },
      },
    });
  });

  it('has no cached or replaced error replies', () => {
    const statuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
    expect(distribution.CustomErrorResponses).toEqual(
      statuses.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });

  it('forwards the client’s IP address', () => expect(functionOf(api)).toContain('TellAddress'));
});

describe('the path /brand/* of the distribution', () => {
  const logos = behaviorOf('/brand/*');

  it('is sent to the HTTP API with the secret header and the client’s IP address', () => {
    const { TargetOriginId, OriginRequestPolicyId, ResponseHeadersPolicyId, FunctionAssociations } =
      behaviorOf('/api/*');
    expect(logos).toMatchObject({
      TargetOriginId,
      OriginRequestPolicyId,
      ResponseHeadersPolicyId,
      FunctionAssociations,
    });
  });

  it('accepts only reads, and is cached as long as the function’s reply says, at most five minutes', () => {
    expect(logos.AllowedMethods).toBeUndefined();
    const policies = template.findResources('AWS::CloudFront::CachePolicy');
    expect(policies[logos.CachePolicyId?.Ref]?.Properties.CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 300,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: { HeaderBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'whitelist', QueryStrings: ['v'] },
      },
    });
  });
});

it('the policies and functions of the distribution have names unique to the stack, because they are global in CloudFront', () => {
  const names = [
    ...propertiesOf(template, 'AWS::CloudFront::ResponseHeadersPolicy').map((each) => each.ResponseHeadersPolicyConfig),
    ...propertiesOf(template, 'AWS::CloudFront::OriginAccessControl').map((each) => each.OriginAccessControlConfig),
    ...propertiesOf(template, 'AWS::CloudFront::CachePolicy').map((each) => each.CachePolicyConfig),
    ...propertiesOf(template, 'AWS::CloudFront::Function'),
  ].map(({ Name }) => Name);
  expect(names).toHaveLength(9);
  expect(new Set(names.map((name) => JSON.stringify(name))).size).toBe(names.length);
  for (const name of names) expect(JSON.stringify(name)).toContain('AWS::Region');
});

describe('the path /exports/* of the distribution', () => {
  const exports = behaviorOf('/exports/*');

  it('is served from the bucket of exported files until the time in the file’s name', () => {
    const bucket = { 'Fn::GetAtt': [expect.stringMatching(/^ExportsFiles/), 'RegionalDomainName'] };
    expect(originOf(exports).DomainName).toEqual(bucket);
    expect(functionOf(exports)).toContain('ShowExport');
  });

  it('is never cached and forwards nothing about the caller to the bucket', () => {
    // AWS's own id of the policy CachingDisabled.
    expect(exports.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
    expect(exports).not.toHaveProperty('OriginRequestPolicyId');
    expect(exports.AllowedMethods ?? ['GET', 'HEAD']).toEqual(['GET', 'HEAD']);
  });

  it('uses a private, encrypted bucket that only CloudFront can read, and whose files are deleted after a day', () => {
    const buckets = Object.entries(template.findResources('AWS::S3::Bucket'));
    const [, { Properties, DeletionPolicy }] = buckets.find(([id]) => id.startsWith('ExportsFiles'))!;
    expect(DeletionPolicy).toBe('Delete');
    expect(Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      LifecycleConfiguration: {
        Rules: [
          {
            ExpirationInDays: 1,
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
            Status: 'Enabled',
          },
        ],
      },
    });
    const policy = Object.entries(template.findResources('AWS::S3::BucketPolicy')).find(([id]) =>
      id.startsWith('ExportsFiles'),
    )![1].Properties.PolicyDocument.Statement;
    expect(policy).toMatchObject([
      { Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Effect: 'Allow', Action: 's3:GetObject', Principal: { Service: 'cloudfront.amazonaws.com' } },
    ]);
  });
});

describe('the path /js/* of the distribution', () => {
  it('allows pages of every origin to load the scripts', () => {
    // AWS's own id of CORS-and-SecurityHeadersPolicy, which allows all origins.
    expect(behaviorOf('/js/*').ResponseHeadersPolicyId).toBe('e61eb60c-9c35-4d20-a928-2b84e02af89c');
  });
});

describe('the pages that the distribution serves', () => {
  const policies = template.findResources('AWS::CloudFront::ResponseHeadersPolicy');
  const headersOf = ({ ResponseHeadersPolicyId }: { ResponseHeadersPolicyId: { Ref: string } }) =>
    sentHeaders(policies[ResponseHeadersPolicyId.Ref]!.Properties.ResponseHeadersPolicyConfig);
  const https = { 'Strict-Transport-Security': 'max-age=31536000' };

  it('have the same headers as in a local run, and may call the identity provider', () => {
    const { 'Content-Security-Policy': policy, ...others } = headersOf(distribution.DefaultCacheBehavior);
    const { 'Content-Security-Policy': expected, ...expectedOthers } = pageHeaders(['ISSUER']);
    expect(others).toEqual({ ...expectedOthers, ...https });
    const [, parts] = (policy as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
    expect(parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('')).toMatch(
      new RegExp(`^${RegExp.escape(expected).replace('ISSUER', String.raw`https://.*amazoncognito\.com`)}$`),
    );
  });

  it('have the same headers if they are documents, but may call no other host', () => {
    expect(headersOf(behaviorOf('/docs/*'))).toEqual({ ...pageHeaders(), ...https });
  });

  it('are found by a CloudFront function that maps paths to files', () => {
    expect(functionOf(distribution.DefaultCacheBehavior)).toContain('ShowPage');
  });
});

/** The headers set by a CloudFront policy; each replaces the origin's. */
// oxlint-disable-next-line typescript/no-explicit-any -- a template is untyped JSON
function sentHeaders({ SecurityHeadersConfig: security, CustomHeadersConfig: custom }: any): Record<string, unknown> {
  const parts = [...Object.values<{ Override: boolean }>(security), ...custom.Items];
  for (const { Override } of parts) expect(Override).toBe(true);
  return {
    'Content-Security-Policy': security.ContentSecurityPolicy.ContentSecurityPolicy,
    'Referrer-Policy': security.ReferrerPolicy.ReferrerPolicy,
    'X-Frame-Options': security.FrameOptions.FrameOption,
    'X-Content-Type-Options': security.ContentTypeOptions && 'nosniff',
    'Strict-Transport-Security': `max-age=${security.StrictTransportSecurity.AccessControlMaxAgeSec}`,
    ...Object.fromEntries(custom.Items.map(({ Header, Value }: { Header: string; Value: string }) => [Header, Value])),
  };
}

/** The website's only resource of a type. Exports have a separate bucket. */
function onlyOfWebsite(of: Template, type: string) {
  const found = Object.entries(of.findResources(type)).filter(([id]) => id.startsWith('Website'));
  expect(found).toHaveLength(1);
  const [id, { Properties: properties, ...resource }] = found[0]!;
  return { id, properties, resource };
}

describe('the bucket of the pages', () => {
  const { id, properties } = onlyOfWebsite(template, 'AWS::S3::Bucket');

  it('is private and encrypted', () => {
    expect(properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(properties.BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
      { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
    ]);
  });

  it('requires encrypted connections and is readable by the distribution only', () => {
    const { Statement } = onlyOfWebsite(template, 'AWS::S3::BucketPolicy').properties.PolicyDocument;
    expect(Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      // This statement is for CDK's function that fills the bucket.
      ...Statement.filter(({ Principal }: { Principal: { AWS?: object } }) => typeof Principal.AWS === 'object'),
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
        Action: ['s3:GetObject', 's3:ListBucket'],
        Resource: expect.anything(),
      },
    ]);
    expect(id).toMatch(/^WebsiteFiles/);
  });

  it.each(['dev', 'prod'])(
    'is deleted with the %s stack, and only one of the three uploads into it then deletes its files',
    (stage) => {
      const staged = templateWith({ stage });
      expect(onlyOfWebsite(staged, 'AWS::S3::Bucket').resource.DeletionPolicy).toBe('Delete');
      const deployments = propertiesOf(staged, 'Custom::CDKBucketDeployment');
      expect(deployments.map(({ RetainOnDelete }) => RetainOnDelete)).toEqual([true, true, false]);
      for (const { Prune } of deployments) expect(Prune).toBe(false);
    },
  );
});

const folderOf = (key: string) => join(assetFolder, `asset.${key.replace(/\.zip$/, '')}`);

describe('the static files of the website', () => {
  interface Published {
    readonly SourceObjectKeys: readonly string[];
    readonly SourceMarkers?: readonly Record<string, unknown>[];
    readonly SystemMetadata: Readonly<Record<string, string>>;
    readonly DistributionId?: unknown;
  }
  const published: Published[] = propertiesOf(template, 'Custom::CDKBucketDeployment');

  it('are each uploaded once, with their content types and cache times', async () => {
    const found: Record<string, unknown> = {};
    for (const { SourceObjectKeys, SystemMetadata } of published) {
      for (const key of SourceObjectKeys) {
        for (const file of await readdir(folderOf(key), { recursive: true })) found[file] = SystemMetadata;
      }
    }
    const page = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };
    expect(found).toEqual({
      'index.html': page,
      docs: page,
      'docs/errors': page,
      js: expect.anything(),
      'js/tracker.js': { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=3600' },
      'config.json': { 'content-type': 'application/json', 'cache-control': 'no-cache' },
    });
  });

  it('include the brand’s package if it was built', async () => {
    const packageFolder = await mkdtemp(join(tmpdir(), 'package-folder-'));
    await writeFile(join(packageFolder, 'client.tgz'), 'tarball');
    const built = synthesizedWith({}, { ...someSite, packageFolder });
    const deployments: Published[] = propertiesOf(built.template, 'Custom::CDKBucketDeployment');
    const withPackage = deployments.find(
      ({ SystemMetadata }) => SystemMetadata['content-type'] === 'application/gzip',
    )!;
    expect(withPackage.SystemMetadata).toEqual({ 'content-type': 'application/gzip', 'cache-control': 'no-cache' });
    const [key] = withPackage.SourceObjectKeys;
    expect(await readdir(join(built.assetFolder, `asset.${key!.replace(/\.zip$/, '')}`))).toEqual(['client.tgz']);
    await rm(packageFolder, { recursive: true });
  });

  it('include binary files, uploaded byte for byte', async () => {
    const bytes = Buffer.from([0, 255, 128, 10]);
    const cacheControl = 'public, max-age=31536000, immutable';
    const font = { path: '/assets/font.woff2', contentType: 'font/woff2', cacheControl } as const;
    const built = synthesizedWith(
      {},
      {
        ...someSite,
        files: (settings) => [
          ...someSite.files(settings),
          { ...font, text: bytes.toString('base64'), encoding: 'base64' },
        ],
      },
    );
    const deployments: Published[] = propertiesOf(built.template, 'Custom::CDKBucketDeployment');
    const fonts = deployments.find(({ SystemMetadata }) => SystemMetadata['content-type'] === 'font/woff2')!;
    expect(fonts.SystemMetadata).toEqual({ 'content-type': 'font/woff2', 'cache-control': cacheControl });
    const [key] = fonts.SourceObjectKeys;
    const file = join(built.assetFolder, `asset.${key!.replace(/\.zip$/, '')}`, 'assets', 'font.woff2');
    expect((await readFile(file)).equals(bytes)).toBe(true);
  });

  it('are uploaded before the pages that refer to them', () => {
    const deployments = Object.entries(template.findResources('Custom::CDKBucketDeployment'));
    const [[, pages], others] = [deployments.at(-1)!, deployments.slice(0, -1)];
    expect(pages.Properties.SystemMetadata['content-type']).toBe('text/html; charset=utf-8');
    expect(pages.DependsOn).toEqual(expect.arrayContaining(others.map(([id]) => id)));
  });

  it('are uploaded after the API’s routes exist if they are pages, because pages call the API', () => {
    const { DependsOn } = Object.values(template.findResources('Custom::CDKBucketDeployment')).at(-1)!;
    expect(DependsOn).toEqual(expect.arrayContaining(Object.keys(template.findResources('AWS::ApiGatewayV2::Route'))));
  });

  it('are uploaded by one function with one layer', () => {
    const [layer, ...others] = Object.keys(template.findResources('AWS::Lambda::LayerVersion'));
    expect(others).toEqual([]);
    const layers = propertiesOf(template, 'AWS::Lambda::Function').flatMap(({ Layers = [] }) => Layers);
    expect(layers).toEqual([{ Ref: layer }]);
  });

  it('are invalidated in CloudFront’s cache if they are pages; the deployment does not wait until the invalidation ends', () => {
    const [pages, ...others] = published.toReversed();
    expect(pages).toMatchObject({
      DistributionId: { Ref: expect.stringMatching(/^WebsiteDistribution/) },
      DistributionPaths: ['/index.html', '/docs/errors'],
      WaitForDistributionInvalidation: false,
    });
    for (const { DistributionId } of others) expect(DistributionId).toBeUndefined();
  });

  it('include the dashboard’s settings for sign-in, which CloudFormation fills in', () => {
    const { SourceMarkers, SourceObjectKeys } = published.find((each) => each.SourceMarkers)!;
    const [markers] = SourceMarkers!;
    const settings = JSON.parse(readFileSync(join(folderOf(SourceObjectKeys[0]!), 'config.json'), 'utf8'));
    expect(Object.keys(settings)).toEqual([
      'issuer',
      'client_id',
      'authorization_endpoint',
      'token_endpoint',
      'logout_endpoint',
      'sign_in_hint',
      'base_url',
      'product_name',
      'stripe_connect',
      'currencies',
    ]);
    const inAws = (value: string) =>
      Object.entries(markers!).reduce((text, [marker, token]) => text.replace(marker, JSON.stringify(token)), value);
    expect(inAws(settings.base_url)).toMatch(/WebsiteDistribution.*DomainName/);
    expect(inAws(settings.issuer)).toMatch(/IdentityPool.*ProviderURL/);
    expect(inAws(settings.client_id)).toMatch(/IdentityPoolDashboard/);
    expect(inAws(settings.token_endpoint)).toMatch(/\/oauth2\/token$/);
    expect(settings.sign_in_hint).toBeNull();
    expect(settings.currencies).toEqual(['USD', 'EUR', 'VND']);
  });
});
