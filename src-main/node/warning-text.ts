import type { StorageWarning } from '../contract/model/sync-status.ts';

const SETTINGS = 'settings.json';

const LOST: Readonly<Record<string, string>> = {
  'models.db': ' The history of model changes until then is gone.',
  'mirror.db': ' The news is downloaded again, except what the news service no longer offers.',
};

export function warningText(warning: StorageWarning): string {
  const { file, reason, setAsideAs, backup } = warning;
  // Files of a newer version stay in place only if they are settings.
  if (setAsideAs === null && reason === 'newer') {
    return `${file} was written by a newer version of Broadsheet. Known settings are used, and the file is not changed.`;
  }
  const end = ` To end this message, run \`broadsheet data dismiss ${setAsideAs ?? file}\`.`;
  if (file === SETTINGS) return settingsText(warning) + (setAsideAs === null ? '' : end);
  if (reason === 'unreadable') {
    return `${file} is missing or cannot be read. The rest is shown. To replace it, start Broadsheet or run \`broadsheet sync\`.`;
  }
  if (reason === 'put-back') return `${file} was in the place of another file and was moved back.`;
  const what = reason === 'missing' ? `${file} was missing and` : `${file} could not be used (${reason}) and`;
  const aside = setAsideAs === null ? '' : ` The old file was renamed to ${setAsideAs}.`;
  const copy = backup === undefined ? '' : ` To restore the latest backup, run \`broadsheet data restore ${backup}\`.`;
  return `${what} was replaced with a new one.${LOST[file] ?? ''}${aside}${copy}${end}`;
}

function settingsText({ reason, setAsideAs, members }: StorageWarning): string {
  const used = 'The last known settings are used.';
  if (members) return `${SETTINGS} has values that cannot be used: ${members.join(', ')}. ${used}`;
  if (setAsideAs === null) return `${SETTINGS} cannot be read and is left unchanged (${reason}). ${used}`;
  return `${SETTINGS} could not be used (${reason}) and was renamed to ${setAsideAs}. ${used}`;
}
