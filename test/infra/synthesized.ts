import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { ServiceStack } from '#infra/service-stack.ts';
import { settingsFrom } from '#infra/settings.ts';

/** The functions' code says nothing about the stack, and bundling it takes a second. */
export const inlineCode = () => Code.fromInline('exports.handler = async () => ({ statusCode: 204 })');

/** A stack's template as CloudFormation would get it. The rule checks run in `service-app.test.ts` alone: they are slow. */
export function templateWith(context: Record<string, string> = {}): Template {
  const app = new App({ context, builtinCloudFormationValidation: false });
  return Template.fromStack(new ServiceStack(app, 'Service', { settings: settingsFrom(app.node), codeOf: inlineCode }));
}

/** The properties of all resources of a type. */
// oxlint-disable-next-line typescript/no-explicit-any -- a template is untyped JSON
export const propertiesOf = (template: Template, type: string): any[] =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);
