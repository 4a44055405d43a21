import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { edgeLogBucket } from '#infra/aws/site/edge-log.ts';
import { pageObjects, showExport, showPage, addViewerAddress } from '#infra/aws/site/edge-code.ts';
import { ApiPolicy, PagePolicy, regionalName } from '#infra/aws/site/page-policy.ts';
import { PublishedFiles, type PublishedFilesProps } from '#infra/aws/site/published-files.ts';
import type { Settings } from '#infra/aws/settings.ts';
import type { SiteFile } from '#infra/build/site-file.ts';
import { edgeHeaders } from '#lib/service/ground/config/edge-headers.ts';

export interface WebsiteProps extends Pick<Settings, 'domainName' | 'certificateArn' | 'webAclArn' | 'edgeLog'> {
  readonly logGroup: ILogGroup;
  /** Host name of the HTTP API. */
  readonly apiHost: string;
  readonly edgeSecret: string;
  /** Bucket for exported files that are too large for a reply. */
  readonly exports: IBucket;
  /** Another origin that pages may call: the one for sign-in. */
  readonly signInOrigin: string;
}

/**
 * Error statuses that are never cached. CloudFront would cache them for ten seconds and, because the cache key contains
 * neither credential nor query, reply with one caller's error to another.
 */
const keptFailures = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** The CloudFront distribution for everything: the API, which is not cached, logos, and files from a private bucket. */
export class Website extends Construct {
  /** The installation's URL, without a trailing slash. */
  readonly url: string;
  readonly distribution: Distribution;
  readonly #bucket: Bucket;
  readonly #props: WebsiteProps;

  constructor(scope: Construct, id: string, props: WebsiteProps) {
    super(scope, id);
    const { domainName, webAclArn, edgeLog, signInOrigin } = props;
    this.#props = props;
    this.#bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // The files in the bucket can be built again from source, so the bucket is deleted with the stack.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const fromBucket = {
      // S3 replies 404 for a missing object only if CloudFront may list the bucket; otherwise 403.
      origin: S3BucketOrigin.withOriginAccessControl(this.#bucket, {
        originAccessControl: new S3OriginAccessControl(this, 'Access', {
          originAccessControlName: regionalName(this, 'Files'),
        }),
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      compress: true,
    };
    const fromApi = this.#fromApi(props);
    this.distribution = new Distribution(this, 'Distribution', {
      comment: 'Referral tracking: API, dashboard, tracker',
      httpVersion: HttpVersion.HTTP2_AND_3,
      // Without this setting, a request for `/` would list the files in the bucket.
      defaultRootObject: pageObjects.dashboard.slice(1),
      ...this.#domain(props),
      webAclId: webAclArn,
      ...(edgeLog && { enableLogging: true, logBucket: edgeLogBucket(this, 'Log') }),
      // Without a page for the error, the rule only sets how long the error is cached.
      errorResponses: keptFailures.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      defaultBehavior: {
        ...fromBucket,
        responseHeadersPolicy: new PagePolicy(this, 'PageHeaders', [signInOrigin]),
        functionAssociations: this.#onRequest('ShowPage', showPage),
      },
      additionalBehaviors: {
        '/docs/*': { ...fromBucket, responseHeadersPolicy: new PagePolicy(this, 'DocumentHeaders') },
        // Exported files have the same origin as the pages, so that a page's script may follow a redirect to a file.
        '/exports/*': {
          origin: S3BucketOrigin.withOriginAccessControl(props.exports, {
            originAccessLevels: [AccessLevel.READ],
            originAccessControl: new S3OriginAccessControl(this, 'ExportsAccess', {
              originAccessControlName: regionalName(this, 'Exports'),
            }),
          }),
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
          functionAssociations: this.#onRequest('ShowExport', showExport),
        },
        '/js/*': {
          ...fromBucket,
          responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS,
        },
        '/api/*': { ...fromApi, allowedMethods: AllowedMethods.ALLOW_ALL, cachePolicy: CachePolicy.CACHING_DISABLED },
        // The function's reply says how long caches may keep a logo. A changed logo has a new URL.
        '/brand/*': { ...fromApi, cachePolicy: this.#briefly() },
      },
    });
    this.url = `https://${domainName ?? this.distribution.distributionDomainName}`;
    this.#acknowledge();
  }

  /** Publishes files. Their text may contain values that become known only during the deployment. */
  publish(
    files: readonly SiteFile[],
    { packageFolder, endpoints }: Pick<PublishedFilesProps, 'packageFolder' | 'endpoints'>,
  ): void {
    const { logGroup } = this.#props;
    new PublishedFiles(this, 'Published', {
      files,
      packageFolder,
      endpoints,
      bucket: this.#bucket,
      distribution: this.distribution,
      logGroup,
    });
  }

  #domain({ domainName, certificateArn }: WebsiteProps): Partial<DistributionProps> {
    if (!domainName || !certificateArn) return {};
    return {
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      // CloudFront ignores this setting when it serves its default host name.
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  #fromApi({ apiHost, edgeSecret }: WebsiteProps): BehaviorOptions {
    return {
      origin: new HttpOrigin(apiHost, { customHeaders: { [edgeHeaders.secret]: edgeSecret } }),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      // API Gateway accepts only its own host name, so the client's Host header is not forwarded.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: new ApiPolicy(this, 'ApiHeaders'),
      functionAssociations: this.#onRequest('TellAddress', addViewerAddress),
    };
  }

  #briefly(): CachePolicy {
    return new CachePolicy(this, 'Logos', {
      cachePolicyName: regionalName(this, 'Logos'),
      queryStringBehavior: CacheQueryStringBehavior.allowList('v'),
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.minutes(5),
    });
  }

  #onRequest(id: string, code: string): BehaviorOptions['functionAssociations'] {
    const edgeFunction = new EdgeFunction(this, id, {
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
    return [{ function: edgeFunction, eventType: FunctionEventType.VIEWER_REQUEST }];
  }

  #acknowledge(): void {
    Validations.of(this.#bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only the distribution reads it, and what it holds is public.',
    });
    Validations.of(this.distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Where the program is offered is the company’s choice, not ours.' },
      { id: 'AwsSolutions-CFR2', reason: 'A web ACL is paid from the first request on: -c webAclArn=….' },
      {
        id: 'AwsSolutions-CFR3',
        reason:
          'It holds the addresses of visitors, so it is a choice: -c edgeLog=true. Requests to the API are in its own log.',
      },
      {
        id: 'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
        reason: 'A request for nothing gets the default root object.',
      },
      { id: 'AwsSolutions-CFR4', reason: 'The certificate of a distribution without a domain of its own is AWS’s.' },
    );
  }
}
