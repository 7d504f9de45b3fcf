import { DEFAULT_SETTINGS, type Settings } from '../../src-main/contract/settings.ts';

/** Settings of somebody who has used Broadsheet for a while: nothing starts as read, and no welcome. */
export const USED: Partial<Settings> = { unreadAtFirst: 'everything', welcomed: true };

/** The settings of somebody who has used Broadsheet for a while. */
export const READER_SETTINGS: Settings = { ...DEFAULT_SETTINGS, ...USED };
