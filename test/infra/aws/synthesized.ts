import { App } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { expect } from 'vitest';
import { ServiceStack } from '#infra/aws/service-stack.ts';
import type { Site } from '#infra/build/site.ts';
import { settingsFrom } from '#infra/aws/settings.ts';
import { templatesOf, wholeTemplate } from '#test/infra/aws/whole-template.ts';

/** Replaces the bundles: the functions' code does not affect the stack, and bundling takes a second. */
export const inlineCode = () => Code.fromInline('exports.handler = async () => ({ statusCode: 204 })');

const page = { contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache', text: '<!doctype html>' };

/** Some static files of each kind, because building the real ones takes too long. */
export const someSite: Site = {
  files: (settings) => [
    { path: '/js/tracker.js', contentType: 'text/javascript', cacheControl: 'public, max-age=3600', text: 'track()' },
    { path: '/', ...page },
    { path: '/programs/{id}', ...page },
    { path: '/docs/errors', ...page, text: '<!doctype html><h1>Errors' },
    { path: '/config.json', contentType: 'application/json', cacheControl: 'no-cache', text: JSON.stringify(settings) },
  ],
};

type Synthesized = ReturnType<typeof synthesize>;

/** Syntheses by settings. Each takes a second, so the test files of a process share them. */
const synthesized = new Map<string, Synthesized>();

/** A stack as deployed by CloudFormation, with its nested stacks. Tests must not change it, because they share it. */
export function synthesizedWith(context: Record<string, string> = {}, site = someSite): Synthesized {
  if (site !== someSite) return synthesize(context, site);
  const key = JSON.stringify(context);
  const made = synthesized.get(key) ?? synthesize(context, site);
  synthesized.set(key, made);
  return made;
}

/** Synthesizes a stack without the rule checks, which are slow and run only in `service-app.deep.test.ts`. */
function synthesize(context: Record<string, string>, site: Site) {
  const app = new App({ context, builtinCloudFormationValidation: false });
  const stack = new ServiceStack(app, 'Service', { settings: settingsFrom(app.node), site, codeOf: inlineCode });
  return { template: wholeTemplate(stack), stacks: templatesOf(stack), assetFolder: app.outdir };
}

export const templateWith = (context?: Record<string, string>): Template => synthesizedWith(context).template;

/** The properties of all resources of a type. */
// oxlint-disable-next-line typescript/no-explicit-any -- a template is untyped JSON
export const propertiesOf = (template: Template, type: string): any[] =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);

// oxlint-disable-next-line typescript/no-explicit-any -- a template is untyped JSON
export function only(template: Template, type: string): { id: string; properties: any; resource: any } {
  const found = Object.entries(template.findResources(type));
  expect(found).toHaveLength(1);
  const [id, { Properties: properties, ...resource }] = found[0]!;
  return { id, properties, resource };
}

/** The service's own functions. CDK's functions, which are used during a deployment, have other descriptions. */
export const serviceFunctions = (template: Template) =>
  propertiesOf(template, 'AWS::Lambda::Function').filter(({ Description }) =>
    String(Description).startsWith('functions/'),
  );

/** All permissions of the function in `functions/<name>.ts`: those of its role and attached ones. */
export function statementsOf(template: Template, functionName: string): Statement[] {
  const { functions, roles, policies } = permissionsOf(template);
  const deployed = functions.find(({ Description }) => Description === `functions/${functionName}.ts`);
  const [roleId] = deployed.Role['Fn::GetAtt'];
  const { Policies, ...role } = roles[roleId]!.Properties;
  expect(Object.keys(role)).toEqual(['AssumeRolePolicyDocument']);
  const attached = policies.filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref === roleId));
  return [...Policies, ...attached].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

const found = new WeakMap<Template, ReturnType<typeof findPermissions>>();

/** Searches once, because a template has hundreds of resources and tests look up each function. */
function permissionsOf(template: Template) {
  const permissions = found.get(template) ?? findPermissions(template);
  found.set(template, permissions);
  return permissions;
}

const findPermissions = (template: Template) => ({
  functions: propertiesOf(template, 'AWS::Lambda::Function'),
  roles: template.findResources('AWS::IAM::Role'),
  policies: ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) => propertiesOf(template, type)),
});

interface Statement {
  /** A single action is not a list. */
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
}
