import type { HttpClientOptions } from '../../clients/http/client.ts';
import type { Emit } from '../../contract/events.ts';
import type { Bodies, MethodName } from '../../contract/methods.ts';
import type { SharedFolderStatus, FolderKey } from '../../contract/model/devices.ts';
import type { NewsSource, StorageWarning } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import {
  type ArrivedSettings,
  type Settings,
  settingsWith,
  type SettingsWith,
  type SharedSettings,
} from '../../contract/settings.ts';
import type { CheckOptions, CheckResult, Store } from '../../store/index.ts';
import type { FolderChoice } from '../devices/device-sync.ts';
import type { Activity, UserPriority } from './activity.ts';
import type { IndexerThread } from './indexing.ts';
import type { EngineGateway, GatewayTrial } from './services.ts';

export type EngineBodies = Bodies<MethodName>;

/** Must be serializable, for an engine in its own thread. */
export interface EngineSetup {
  dataFolder: string;
  source: NewsSource;
  gateway: EngineGateway | null;
  version: string;
  settings: EngineSettings;
  folderKeys?: readonly FolderKey[];
  /** The caller holds the lock of the data folder. */
  locked?: boolean;
  findsNews?: boolean;
  storageWarnings?: readonly StorageWarning[];
  timeouts?: HttpClientOptions['timeouts'];
}

export type CheckFiles = (folder: string, at: number, options: CheckOptions) => Promise<CheckResult | null>;

export interface EnginePorts {
  clock: Clock;
  log: Log;
  emit: Emit;
  /** Default: checks in the engine's thread. */
  checkFiles?: CheckFiles;
  onDamage?: () => void;
  onSettings?: (arrived: ArrivedSettings) => void;
  zone?: () => string;
  /** Default: updates the search index in the engine's thread. */
  startIndexer?: () => IndexerThread;
}

/** Not in the contract, because keys must not cross it. */
export interface EngineControls {
  start(): Promise<void>;
  useGateway(gateway: EngineGateway | null): Promise<void>;
  useSettings(settings: EngineSettings): Promise<void>;
  tryGateway(gateway: EngineGateway): Promise<GatewayTrial>;
  /** Returns the keys to save. Errors: those of `devices.set`. */
  shareFolder(choice: FolderChoice): Promise<{ status: SharedFolderStatus; keys: readonly FolderKey[] }>;
  /** Returns the name of a new build, which replaces the mirror when the files are opened again. */
  rebuild(): Promise<string>;
  /** Called when the saved keys could not be read before. */
  useFolderKeys(keys: readonly FolderKey[]): Promise<void>;
}

export interface EngineBase extends EnginePorts {
  setup: EngineSetup;
  store: Store;
  settings: { current: EngineSettings };
  activity: Activity;
  userPriority: UserPriority;
}

/** Without `shared`, devices share no settings. */
export type EngineSettings = SettingsWith<'engine'> & { shared?: SharedSettings };

export function engineSettings(settings: Settings): EngineSettings {
  return { ...settingsWith('engine', settings), shared: settingsWith('shared', settings) };
}

export function differs(one: EngineSettings, other: EngineSettings, ...names: (keyof EngineSettings)[]): boolean {
  return names.some((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}
