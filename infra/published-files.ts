import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { pageObject } from '#infra/edge-code.ts';
import { acknowledgeProvided, arnIn } from '#infra/provided-function.ts';
import type { SiteFile } from '#infra/site-file.ts';
import type { Stage } from '#infra/stages.ts';
import { pagePaths } from '#lib/dashboard/page-paths.ts';

export interface PublishedFilesProps {
  readonly files: readonly SiteFile[];
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  readonly stage: Stage;
  readonly logGroup: ILogGroup;
}

/** Static files in the bucket, with their types; where the edge has kept former ones, it asks again. */
export class PublishedFiles extends Construct {
  constructor(scope: Construct, id: string, props: PublishedFilesProps) {
    super(scope, id);
    const { files, bucket, distribution, stage, logGroup } = props;
    const kinds = Map.groupBy(objectsOf(files), ({ contentType, cacheControl }) => `${contentType} ${cacheControl}`);
    for (const [index, ofKind] of [...kinds.values()].entries()) {
      const { contentType, cacheControl } = ofKind[0]!;
      const deployment = new BucketDeployment(this, `Kind${index}`, {
        destinationBucket: bucket,
        sources: ofKind.map(({ path, text }) => Source.data(path.slice(1), text)),
        contentType,
        cacheControl: [CacheControl.fromString(cacheControl)],
        // Each kind must leave the others' files alone, and pages of the last version may still be open.
        prune: false,
        // What a stack leaves behind with its table it leaves behind with its pages.
        retainOnDelete: stage.deletionProtection,
        distribution,
        logGroup,
      });
      // All share one function.
      if (index === 0) acknowledgeProvided(deployment.handlerRole.node.scope!, wildcardsOn(bucket));
    }
  }
}

const applicationPaths: ReadonlySet<string> = new Set(Object.values(pagePaths));

/** The files by their names in the bucket. All pages of the application are one and the same. */
function objectsOf(files: readonly SiteFile[]): SiteFile[] {
  const page = files.find(({ path }) => path === pagePaths.home);
  return [...(page ? [{ ...page, path: pageObject }] : []), ...files.filter(({ path }) => !applicationPaths.has(path))];
}

const wildcardsOn = (bucket: Bucket): string[] => [
  ...['GetObject', 'GetBucket', 'List', 'DeleteObject', 'Abort'].map((action) => `Action::s3:${action}*`),
  'Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*',
  `Resource::${arnIn(bucket)}/*`,
  'Resource::*',
];
