import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** The log's retention, which is the same as that of the production log. */
const RETENTION = Duration.days(90);

/** Bucket for CloudFront's access log, which contains the addresses of visitors. */
export function edgeLogBucket(scope: Construct, id: string): Bucket {
  const bucket = new Bucket(scope, id, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    // CloudFront writes from another account, which requires an access control list.
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: [{ expiration: RETENTION, abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    // CloudFront writes files while the distribution exists, and a bucket that is not empty would block the
    // deletion of the stack.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'It holds a log, which whoever operates the service reads; a log of that would need one of its own.',
  });
  return bucket;
}
