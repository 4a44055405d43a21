import type { DeploymentRecord } from '#infra/aws/deployment/deployment-record.ts';
import { isWeakened, recordedText, type SettingName, settingNames } from '#infra/aws/setting-rules.ts';
import type { SettingTexts } from '#infra/aws/setting-texts.ts';
import type { StageName } from '#infra/aws/stages.ts';
import { checkNames } from '#infra/aws/stage-file.ts';

/** The settings in the form in which they are recorded: without secrets, and without settings that have no value. */
export const recordedSettings = (texts: SettingTexts): Partial<Record<SettingName, string>> =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = texts[name];
      return text === undefined || text === '' ? [] : [[name, recordedText(name, text)]];
    }),
  );

interface Comparison {
  readonly stage: StageName;
  readonly deployed: DeploymentRecord;
  readonly texts: SettingTexts;
  /** Names of settings that this deployment may weaken, separated by commas. */
  readonly accept?: string | undefined;
}

/**
 * Compares the settings with the deployed ones.
 * @throws Error that names every setting that the deployment would remove or weaken and that `accept` does not list
 */
export function refuseWeakened({ stage, deployed, texts, accept = '' }: Comparison): void {
  const accepted = accept.split(',').filter((name) => name !== '');
  checkNames(accepted, settingNames, ' in accept');
  const now = recordedSettings(texts);
  // Settings that only another version of this project knows are ignored.
  const weakened = settingNames.filter((name) => {
    const was = deployed.settings[name];
    return was !== undefined && !accepted.includes(name) && isWeakened(name, was, now[name]);
  });
  if (weakened.length === 0) return;
  const lines = weakened.map((name) => `  ${name}: ${deployed.settings[name]} would become ${now[name] ?? 'not set'}`);
  throw new Error(
    [
      `This deployment of ${stage} would drop or weaken settings that are deployed:`,
      ...lines,
      `Put them into infra/stages/${stage}.json. If the change is meant, add -c accept=${[...accepted, ...weakened].join(',')}`,
    ].join('\n'),
  );
}
