import { expect, it } from 'vitest';
import { only, propertiesOf, templateWith } from '#test/infra/aws/synthesized.ts';

const logged = templateWith({ edgeLog: 'true' });
const buckets = Object.entries(logged.findResources('AWS::S3::Bucket'));

it('CloudFront’s access log is off by default, because it contains visitors’ IP addresses', () => {
  const template = templateWith();
  const { DistributionConfig } = only(template, 'AWS::CloudFront::Distribution').properties;
  expect(DistributionConfig).not.toHaveProperty('Logging');
  expect(propertiesOf(template, 'AWS::S3::Bucket')).toHaveLength(buckets.length - 1);
});

it('CloudFront’s access log goes to a private, encrypted bucket; files are deleted after 90 days, and the bucket outlives the stack', () => {
  const { DistributionConfig } = only(logged, 'AWS::CloudFront::Distribution').properties;
  const [id, bucket] = buckets.find(([name]) => name.startsWith('WebsiteLog'))!;
  expect(DistributionConfig.Logging).toEqual({ Bucket: { 'Fn::GetAtt': [id, 'RegionalDomainName'] } });
  expect(bucket).toEqual({
    Type: 'AWS::S3::Bucket',
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      LifecycleConfiguration: {
        Rules: [
          { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, ExpirationInDays: 90, Status: 'Enabled' },
        ],
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    },
  });
});
