import { Duration, Stack } from 'aws-cdk-lib';
import { type HeadersFrameOption, type HeadersReferrerPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { pageHeaders } from '#infra/build/page-headers.ts';

const override = true;
const httpsOnly = { accessControlMaxAge: Duration.days(365), includeSubdomains: false, override };

/**
 * Returns a name that contains the region. Names of CloudFront resources must be unique in the account, and the account
 * may contain the same stack in several regions.
 */
export function regionalName(scope: Construct, id: string): string {
  const { stackName, region } = Stack.of(scope);
  return `${stackName}-${region}-${id}`;
}

/** Security headers of the API's replies: HSTS and nosniff. */
export class ApiPolicy extends ResponseHeadersPolicy {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      responseHeadersPolicyName: regionalName(scope, id),
      securityHeadersBehavior: { contentTypeOptions: { override }, strictTransportSecurity: httpsOnly },
    });
  }
}

/**
 * Security headers of pages, including HSTS. Some of them are CloudFront settings.
 * @param origins other origins that the pages' scripts call
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
    super(scope, id, {
      responseHeadersPolicyName: regionalName(scope, id),
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override },
        contentTypeOptions: { override },
        frameOptions: { frameOption: frameOption as HeadersFrameOption, override },
        referrerPolicy: { referrerPolicy: referrerPolicy as HeadersReferrerPolicy, override },
        strictTransportSecurity: httpsOnly,
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override })),
      },
    });
  }
}
