import { Duration } from 'aws-cdk-lib';
import { type HeadersFrameOption, type HeadersReferrerPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { pageHeaders } from '#infra/page-headers.ts';

const ONE_YEAR = Duration.days(365);

/**
 * The headers of pages, of which CloudFront has some by names of its own. It adds that they come over https only.
 * @param origins whom their scripts call besides their own
 */
export class PagePolicy extends ResponseHeadersPolicy {
  constructor(scope: Construct, id: string, origins: readonly string[] = []) {
    const {
      'Content-Security-Policy': contentSecurityPolicy,
      'X-Content-Type-Options': _,
      'X-Frame-Options': frameOption,
      'Referrer-Policy': referrerPolicy,
      ...others
    } = pageHeaders(origins);
    const override = true;
    super(scope, id, {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override },
        contentTypeOptions: { override },
        frameOptions: { frameOption: frameOption as HeadersFrameOption, override },
        referrerPolicy: { referrerPolicy: referrerPolicy as HeadersReferrerPolicy, override },
        strictTransportSecurity: { accessControlMaxAge: ONE_YEAR, includeSubdomains: false, override },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override })),
      },
    });
  }
}
