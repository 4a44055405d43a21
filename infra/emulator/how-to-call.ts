import type { Deployment } from '#infra/emulator/deployment.ts';
import type { FirstProgram } from '#infra/emulator/first-program.ts';

/** Returns shell commands that call the deployed stack. @param file the description of the deployment */
export function howToCall(
  { port, endpoint, outputs, binFolder }: Deployment,
  program: FirstProgram,
  file: string,
): string {
  const edge = `http://127.0.0.1:${port}`;
  // The Host header selects the CloudFront distribution; with the second header, the request counts as https.
  const headers = `-H 'Host: ${outputs.DistributionHost}' -H 'X-Forwarded-Proto: https'`;
  const credentials = 'AWS_ACCESS_KEY_ID=000000000000 AWS_SECRET_ACCESS_KEY=emulator AWS_REGION=us-east-1';
  return `
The stack is deployed, and IAM decides on every call. CloudFront: ${edge}, as ${outputs.DistributionHost}
APIs of AWS: ${endpoint}, for instance

  ${credentials} ${binFolder}/aws --endpoint-url ${endpoint} lambda list-functions

Program ${program.id} of ${program.email}, with the link "brand":

  curl -s ${edge}/api/v1/track/click ${headers} -d '{"affiliate_url":"https://brand.test/?aff=brand"}'
  curl -s ${edge}/api/v1/cli/status ${headers} -H 'Authorization: Bearer ${program.key}'
  curl -s ${edge}/api/dashboard/v1/me ${headers} -H 'Authorization: Bearer ${program.token}'

The operator's command:

  ${credentials} DYNAMODB_ENDPOINT=${endpoint} TABLE_NAME=${outputs.TableName} npm run operator -- agent-key list

The tests on this deployment, which run only once on it:

  DEPLOYMENT=${file} npm run test:deployed

Ctrl-C ends it, and nothing is kept.`;
}
