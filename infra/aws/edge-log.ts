import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** As long as the log of production. */
const KEPT = Duration.days(90);

/** The bucket of CloudFront's log of every request, with the addresses of visitors. */
export function edgeLogBucket(scope: Construct, id: string): Bucket {
  const bucket = new Bucket(scope, id, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    // CloudFront writes as an account of its own, by an access control list.
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: [{ expiration: KEPT, abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    // Files are written as long as there is a distribution; none may keep a stack from being removed.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'It holds a log, which whoever operates the service reads; a log of that would need one of its own.',
  });
  return bucket;
}
