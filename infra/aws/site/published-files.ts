import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FileSystem } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  BucketDeployment,
  type BucketDeploymentProps,
  CacheControl,
  type ISource,
  Source,
} from 'aws-cdk-lib/aws-s3-deployment';
import { Construct, type IConstruct } from 'constructs';
import { pageObjects } from '#infra/aws/site/edge-code.ts';
import { acknowledgeProvided, arnIn } from '#infra/aws/endpoints/provided-function.ts';
import type { SiteFile } from '#infra/build/site-file.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';

export interface PublishedFilesProps {
  readonly files: readonly SiteFile[];
  /** Folder with the npm package for brands. */
  readonly packageFolder?: string | undefined;
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  readonly logGroup: ILogGroup;
  /** Endpoints that the pages call, which must be deployed before the pages. */
  readonly endpoints: readonly IConstruct[];
}

interface Deployed extends Omit<BucketDeploymentProps, 'cacheControl' | 'destinationBucket' | 'prune' | 'logGroup'> {
  readonly cacheControl: string;
}

const isPage = ({ contentType }: SiteFile): boolean => contentType.startsWith('text/html');

/**
 * The static files in the bucket, with their content types. CloudFront checks for a newer version of a cached page on
 * each request.
 */
export class PublishedFiles extends Construct {
  readonly #props: PublishedFilesProps;

  constructor(scope: Construct, id: string, props: PublishedFilesProps) {
    super(scope, id);
    this.#props = props;
    const objects = objectsOf(props.files);
    const others = objects.filter((file) => !isPage(file));
    const kinds = Map.groupBy(others, ({ contentType, cacheControl }) => `${contentType} ${cacheControl}`);
    const deployments = [...kinds.values()].map((ofKind, index) => this.#publish(`Kind${index}`, ofKind));
    if (props.packageFolder !== undefined) deployments.push(this.#publishPackage(props.packageFolder));
    const pages = this.#publish('Pages', objects.filter(isPage), {
      // When the stack is deleted, this empties the bucket, because CloudFormation cannot delete a bucket that contains
      // files.
      retainOnDelete: false,
      // Only pages must be removed from CloudFront's caches. Other files either get a new name when their content
      // changes, or caches check for a new version within a day.
      distribution: props.distribution,
      distributionPaths: objects.filter(isPage).map(({ path }) => path),
      // The deployment does not wait until the invalidation is complete: nothing depends on it, and a slow invalidation
      // would roll the deployment back.
      waitForDistributionInvalidation: false,
    });
    // Scripts and styles must be published before the page that refers to them.
    pages.node.addDependency(...deployments, ...props.endpoints);
    // CDK creates a layer with the AWS command line for each deployment. All deployments share one function, which uses
    // the layer of the first, so the other layers are removed.
    for (const deployment of [...deployments.slice(1), pages]) deployment.node.tryRemoveChild('AwsCliLayer');
    acknowledgeProvided(pages.handlerRole.node.scope!, wildcardsOn(props.bucket));
  }

  #publish(
    id: string,
    files: readonly SiteFile[],
    more: Partial<Omit<Deployed, 'cacheControl'>> = {},
  ): BucketDeployment {
    const { contentType, cacheControl } = files[0]!;
    const sources = files.map(sourceOf);
    return this.#deploy(id, { sources, contentType, cacheControl, ...more });
  }

  #publishPackage(folder: string): BucketDeployment {
    return this.#deploy('Package', {
      sources: [Source.asset(folder)],
      contentType: 'application/gzip',
      cacheControl: 'no-cache',
    });
  }

  #deploy(id: string, { cacheControl, ...what }: Deployed): BucketDeployment {
    const { bucket, logGroup } = this.#props;
    return new BucketDeployment(this, id, {
      retainOnDelete: true,
      ...what,
      destinationBucket: bucket,
      cacheControl: [CacheControl.fromString(cacheControl)],
      // Files that this deployment does not contain stay in the bucket: those of the other deployments, and those of
      // the previous version, whose pages may still be open.
      prune: false,
      logGroup,
    });
  }
}

function sourceOf({ path, text, encoding }: SiteFile): ISource {
  if (encoding === undefined) return Source.data(path.slice(1), text);
  // `Source.data` accepts only text, so a binary file is written to a temporary folder. The operating system deletes
  // the folder.
  const folder = FileSystem.mkdtemp('site');
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, encoding);
  return Source.asset(folder);
}

const applicationPaths: ReadonlySet<string> = new Set([...Object.values(pagePaths), ...Object.values(portalPaths)]);

const objectNames: ReadonlyMap<string, string> = new Map([
  [pagePaths.home, pageObjects.dashboard],
  [portalPaths.home, pageObjects.portal],
]);

/** The files by object name. All page paths of an application have the same object. */
const objectsOf = (files: readonly SiteFile[]): SiteFile[] =>
  files.flatMap((file) => {
    const name = objectNames.get(file.path);
    if (name !== undefined) return [{ ...file, path: name }];
    return applicationPaths.has(file.path) ? [] : [file];
  });

const wildcardsOn = (bucket: Bucket): string[] => [
  ...['GetObject', 'GetBucket', 'List', 'DeleteObject', 'Abort'].map((action) => `Action::s3:${action}*`),
  'Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*',
  `Resource::${arnIn(bucket)}/*`,
  'Resource::*',
];
