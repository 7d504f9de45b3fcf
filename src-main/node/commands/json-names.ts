import type { RankedTopic } from '../../contract/model/story.ts';
import type { StoredItem } from '../../contract/model/item.ts';
import type { MentionedModel, ModelRefresh, StoredModel } from '../../contract/model/model.ts';
import type { StoredNotification } from '../../contract/model/notification.ts';
import type { SyncStatus } from '../../contract/model/sync-status.ts';
import type { Target } from '../../contract/targets.ts';

/**
 * JSON output keeps the field names of the first version, because scripts read them: the code says history, model
 * list, report and storage warning where they say course, listing, edition and notice.
 */

export function itemAsJson({ models, ...item }: StoredItem): object {
  return { ...item, models: models.map(mentionAsJson) };
}

export function topicAsJson({ history, ...topic }: RankedTopic): object {
  return { ...topic, course: history };
}

/** The gateway's record apart from what is known here, so that no name of the one can hide one of the other. */
export function modelAsJson(model: StoredModel): object {
  const { modelList: listing, record, firstSeenAt, favouriteAt, aliases, histories: courses } = model;
  return { listing, record, firstSeenAt, favouriteAt, aliases, courses };
}

export function refreshAsJson({ modelList, ...refresh }: ModelRefresh): object {
  return { ...refresh, listing: modelList };
}

export function notificationAsJson({ target, ...notification }: StoredNotification): object {
  return { ...notification, target: targetAsJson(target) };
}

export function statusAsJson({ storageWarnings, ...status }: SyncStatus): object {
  return { ...status, notices: storageWarnings };
}

function mentionAsJson({ modelList, ...model }: MentionedModel): object {
  return { listing: modelList, ...model };
}

function targetAsJson(target: Target): object {
  switch (target.view) {
    case 'report':
      return { ...target, view: 'edition' };
    case 'notifications':
      return { view: 'notices' };
    case 'model':
      return { view: target.view, listing: target.modelList, id: target.id };
    default:
      return target;
  }
}
