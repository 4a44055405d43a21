import type { DashboardSettings } from '#lib/wire/words/dashboard-settings.ts';
import { jsonOf, requestTo } from '#lib/apps/web/api/api.ts';

/** Contents of `/config.json`, the settings of this installation. */
export type Installation = DashboardSettings;

/** Loads the settings of this installation. @throws ApiError */
export const loadInstallation = async (): Promise<Installation> =>
  jsonOf(await requestTo('/config.json', { method: 'GET' }));
