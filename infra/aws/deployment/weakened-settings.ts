import type { DeploymentRecord } from '#infra/aws/deployment/deployment-record.ts';
import { isWeakened, recordedText, type SettingName, settingNames } from '#infra/aws/setting-rules.ts';
import type { SettingTexts } from '#infra/aws/setting-texts.ts';
import type { StageName } from '#infra/aws/stages.ts';
import { checkNames } from '#infra/aws/stage-file.ts';

/** The settings as they are recorded: no secrets, and none without a value. */
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
  /** Names of settings that may be weakened, separated by commas. */
  readonly accept?: string | undefined;
}

/** @throws Error that names every setting that a deployment would drop or weaken, unless it is accepted */
export function refuseWeakened({ stage, deployed, texts, accept = '' }: Comparison): void {
  const accepted = accept.split(',').filter((name) => name !== '');
  checkNames(accepted, settingNames, ' in accept');
  const now = recordedSettings(texts);
  // A setting of another version is unknown here.
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
