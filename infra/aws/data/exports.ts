import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct, type IConstruct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import { nestedArnOf } from '#infra/aws/endpoints/provided-function.ts';

const folders = ['exports/*', 'work/*'] as const;

/**
 * The bucket for exported files that are too large for a reply. Only CloudFront can read a file, and only until the
 * expiry that the file's name contains.
 */
export class Exports extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      // Deleting the bucket loses nothing of value: exports expire after a day, and can be created again.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only the edge and the exporting function read it; who exports is in the access log of the API.',
    });
  }

  /** Explains to cdk-nag why the permission has a wildcard: the names of the files are not known in advance. */
  acknowledge(role: IConstruct): void {
    const reason = 'Each file has a random name, below a folder of this bucket alone.';
    for (const pattern of folders) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${nestedArnOf(this.bucket)}/${pattern}]`,
        reason,
      });
    }
  }

  environment({ uses }: Pick<DeployedFunction, 'uses'>): Record<string, string> {
    return uses.includes('exports') ? { EXPORTS_BUCKET: this.bucket.bucketName } : {};
  }

  permissions({ uses }: Pick<DeployedFunction, 'uses'>): PolicyStatement[] {
    if (!uses.includes('exports')) return [];
    const [files, work] = folders.map((pattern) => this.bucket.arnForObjects(pattern));
    return [
      new PolicyStatement({ actions: ['s3:PutObject'], resources: [files!, work!] }),
      new PolicyStatement({ actions: ['s3:GetObject'], resources: [work!] }),
    ];
  }
}
