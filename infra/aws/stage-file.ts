import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SettingName } from '#infra/aws/setting-rules.ts';
import type { Variables } from '#lib/service/ground/config/config.ts';

/**
 * Settings that the file of a production stage must name, because the stage is less protected without them. The value
 * null says that the operator decided against a setting.
 */
const NAMED_IN_PRODUCTION = [
  'requireMfa',
  'threatProtection',
  'webAclArn',
  'domainName',
  'alarmEmail',
  'mailFrom',
  'signUp',
] as const satisfies readonly SettingName[];

/** The content of a stage's settings file. */
export interface StageFile {
  /** The path of the file as shown in messages, such as `infra/stages/prod.json`. */
  readonly name: string;
  /** Names of all settings in the file, including those that are null. */
  readonly names: readonly string[];
  /** The values of the settings as texts, as in `-c name=value`. */
  readonly values: Readonly<Record<string, string>>;
}

/** The folder with the files of all stages: `infra/stages`, or the folder that the variable `STAGES_FOLDER` names. */
export const stagesFolderFrom = ({ STAGES_FOLDER: folder }: Variables): string =>
  folder ? resolve(folder) : join(import.meta.dirname, '../stages');

/**
 * Reads the file with the settings of a stage.
 * @param folder the folder with the files of all stages
 * @returns undefined if the stage has no file
 * @throws Error that names the file and what is wrong in it
 */
export function readStageFile(stage: string, folder: string): StageFile | undefined {
  const file = join(folder, `${stage}.json`);
  const name = `infra/stages/${stage}.json`;
  if (!existsSync(file)) return undefined;
  const settings = settingsIn(name, readFileSync(file, 'utf8'));
  const missing = stage === 'prod' ? NAMED_IN_PRODUCTION.filter((needed) => !(needed in settings)) : [];
  if (missing.length > 0) {
    throw new Error(
      `${name} does not name ${missing.join(', ')}. Set each, or write null for a setting without a value.`,
    );
  }
  const values = Object.entries(settings).filter(([, value]) => value !== null);
  return {
    name,
    names: Object.keys(settings),
    values: Object.fromEntries(values.map(([setting, value]) => [setting, String(value)])),
  };
}

function settingsIn(name: string, text: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new Error(`${name} must be an object of settings by their names`);
  }
  const wrong = Object.entries(json).find(([, value]) => typeof value === 'object' && value !== null);
  if (wrong) throw new Error(`${name}: ${wrong[0]} must be a text, a number, true, false or null`);
  return json as Record<string, unknown>;
}

/**
 * Checks that all names are known settings.
 * @throws Error for an unknown name, which would otherwise be ignored silently
 */
export function checkNames(names: readonly string[], known: readonly string[], where = ''): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) throw new Error(`Unknown setting "${unknown}"${where}. There are ${known.join(', ')}.`);
}
