import type { Node } from 'constructs';
import { isStageName, type StageName } from '#infra/stages.ts';

/** What a deployment may choose: `npx cdk deploy -c stage=prod -c baseUrl=https://track.example.com`. */
export interface Settings {
  readonly stage: StageName;
  /** Default: the API's own address. */
  readonly baseUrl?: string;
  /** Default: `baseUrl`. */
  readonly dashboardUrl?: string;
  /** Default: `<baseUrl>/docs/errors`. */
  readonly docsUrl?: string;
  /** Basis points, default 350. */
  readonly platformFeeBps: string;
}

/** @throws Error for a stage that does not exist; the other values are checked with the functions' environment */
export function settingsFrom(node: Node): Settings {
  const setting = (name: keyof Settings): string | undefined => node.tryGetContext(name)?.toString();
  const stage = setting('stage') ?? 'dev';
  if (!isStageName(stage)) throw new Error(`Unknown stage "${stage}"`);
  return {
    stage,
    baseUrl: setting('baseUrl'),
    dashboardUrl: setting('dashboardUrl'),
    docsUrl: setting('docsUrl'),
    platformFeeBps: setting('platformFeeBps') ?? '350',
  };
}
