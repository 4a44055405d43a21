import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** How long log files are kept: as long as the production log. */
const RETENTION = Duration.days(90);

/** Creates the bucket for CloudFront's access log, which contains the addresses of visitors. */
export function edgeLogBucket(scope: Construct, id: string): Bucket {
  const bucket = new Bucket(scope, id, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    // CloudFront writes its log from another account and needs an access control list for that.
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: [{ expiration: RETENTION, abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    // The bucket is kept when the stack is deleted. CloudFront writes log files until its distribution is gone, and
    // CloudFormation cannot delete a bucket that contains files.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'It holds a log, which whoever operates the service reads; a log of that would need one of its own.',
  });
  return bucket;
}
