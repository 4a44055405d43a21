import type { DashboardSettings } from '#lib/wire/words/dashboard-settings.ts';
import { jsonOf, requestTo } from '#lib/apps/web/api/api.ts';

/** The settings of this installation, which pages load from `/config.json`. */
export type Installation = DashboardSettings;

/** Loads the settings of this installation. @throws ApiError */
export const loadInstallation = async (): Promise<Installation> =>
  jsonOf(await requestTo('/config.json', { method: 'GET' }));
