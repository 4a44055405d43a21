import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { pageHeaders } from '#infra/page-headers.ts';
import { acknowledgeProvided, arnIn } from '#infra/provided-function.ts';
import type { Settings } from '#infra/settings.ts';
import type { SiteFile } from '#infra/site-file.ts';
import type { Stage } from '#infra/stages.ts';
import { edgeHeaders } from '#lib/http/client-address.ts';

export interface WebsiteProps extends Pick<Settings, 'domainName' | 'certificateArn' | 'webAclArn'> {
  readonly stage: Stage;
  readonly logGroup: ILogGroup;
  /** Host name of the HTTP API. */
  readonly apiHost: string;
  readonly edgeSecret: string;
  /** Whom pages may call besides their own origin. */
  readonly signInOrigin: string;
}

/** A header that a client sends under this name is replaced: only the edge knows who is connected to it. */
const TELL_ADDRESS = `function handler(event) {
  event.request.headers['${edgeHeaders.address}'] = { value: event.viewer.ip };
  return event.request;
}`;

/** Pages of the dashboard are one file; paths with an ending, and the documents, are files of their own. */
const SHOW_PAGE = `function handler(event) {
  var request = event.request;
  if (!/[.][^/]+$/.test(request.uri) && request.uri.indexOf('/docs/') !== 0) request.uri = '/index.html';
  return request;
}`;

const ONE_YEAR = Duration.days(365);

/** One origin at the edge: the API uncached, everything else from a bucket that nobody else can read. */
export class Website extends Construct {
  /** Where the installation is found, without a slash at its end. */
  readonly url: string;
  readonly distribution: Distribution;
  readonly #bucket: Bucket;
  readonly #props: WebsiteProps;

  constructor(scope: Construct, id: string, props: WebsiteProps) {
    super(scope, id);
    const { apiHost, edgeSecret, domainName, certificateArn, webAclArn, signInOrigin } = props;
    this.#props = props;
    this.#bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Built from source: a deployment puts them back.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const files = S3BucketOrigin.withOriginAccessControl(this.#bucket);
    const api = new HttpOrigin(apiHost, { customHeaders: { [edgeHeaders.secret]: edgeSecret } });
    const fromBucket = { origin: files, viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS, compress: true };
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Referral tracking: API, dashboard, tracker`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      ...(domainName && certificateArn
        ? {
            domainNames: [domainName],
            certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
          }
        : {}),
      webAclId: webAclArn,
      defaultBehavior: {
        ...fromBucket,
        responseHeadersPolicy: this.#pageHeaders(signInOrigin),
        functionAssociations: this.#onRequest('ShowPage', SHOW_PAGE),
      },
      additionalBehaviors: {
        '/js/*': { ...fromBucket, responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS },
        '/api/*': this.#uncached(api),
      },
    });
    this.url = `https://${domainName ?? this.distribution.distributionDomainName}`;
    this.#acknowledge();
  }

  /** Puts files where the edge finds them; those that keep their names are asked for anew. */
  publish(files: readonly SiteFile[]): void {
    const { stage, logGroup } = this.#props;
    const kinds = Map.groupBy(files, ({ contentType, cacheControl }) => `${contentType} ${cacheControl}`);
    for (const [index, ofKind] of [...kinds.values()].entries()) {
      const { contentType, cacheControl } = ofKind[0]!;
      const deployment = new BucketDeployment(this, `Files${index}`, {
        destinationBucket: this.#bucket,
        sources: ofKind.map(({ path, text }) => Source.data(path.slice(1), text)),
        contentType,
        cacheControl: [CacheControl.fromString(cacheControl)],
        // Each kind is a deployment of its own, which must leave the others' files alone; pages of the last version may be open.
        prune: false,
        retainOnDelete: stage.deletionProtection,
        distribution: this.distribution,
        logGroup,
      });
      // All share one function.
      if (index === 0) acknowledgeProvided(deployment.handlerRole.node.scope!, deploymentWildcards(this.#bucket));
    }
  }

  #uncached(origin: HttpOrigin): BehaviorOptions {
    return {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // The gateway knows itself by its own host name only.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: this.#onRequest('TellAddress', TELL_ADDRESS),
    };
  }

  #onRequest(id: string, code: string): BehaviorOptions['functionAssociations'] {
    const edgeFunction = new EdgeFunction(this, id, {
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
    return [{ function: edgeFunction, eventType: FunctionEventType.VIEWER_REQUEST }];
  }

  #pageHeaders(signInOrigin: string): ResponseHeadersPolicy {
    const headers = pageHeaders([signInOrigin]);
    return new ResponseHeadersPolicy(this, 'PageHeaders', {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: headers['Content-Security-Policy'], override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: ONE_YEAR, includeSubdomains: false, override: true },
      },
    });
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
        reason: 'It would hold the addresses of visitors; requests to the API are in its own log.',
      },
      { id: 'AwsSolutions-CFR4', reason: 'The certificate of a distribution without a domain of its own is AWS’s.' },
    );
  }
}

const deploymentWildcards = (bucket: Bucket): string[] => [
  ...['GetObject', 'GetBucket', 'List', 'DeleteObject', 'Abort'].map((action) => `Action::s3:${action}*`),
  'Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*',
  `Resource::${arnIn(bucket)}/*`,
  'Resource::*',
];
