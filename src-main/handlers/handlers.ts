import type { Args, MethodName, Result } from '../contract/api.ts';
import { healthHandlers } from './health.ts';
import { reportsHandlers } from './reports.ts';
import { dataHandlers } from './data.ts';
import { desktopHandlers } from './desktop.ts';
import { gatewayHandlers } from './gateway.ts';
import { itemsHandlers } from './items.ts';
import { linksHandlers } from './links.ts';
import { modelsHandlers } from './models.ts';
import { notificationsHandlers } from './notifications.ts';
import { pageHandlers } from './page.ts';
import type { Session } from './session.ts';
import { settingsHandlers } from './settings.ts';
import { storiesHandlers } from './stories.ts';
import { syncHandlers } from './sync.ts';
import { visitsHandlers } from './visits.ts';

/** A body for each method of the contract. Arguments have passed their guard; what is thrown becomes a failure. */
export type Handlers = { [M in MethodName]: (args: Args<M>) => Promise<Result<M>> | Result<M> };

export function createHandlers(session: Session): Handlers {
  return {
    'app.capabilities': () => session.ports.capabilities,
    ...itemsHandlers(session),
    ...reportsHandlers(session),
    ...syncHandlers(session),
    ...healthHandlers(session),
    ...settingsHandlers(session),
    ...linksHandlers(session),
    ...pageHandlers(session),
    ...visitsHandlers(session),
    ...storiesHandlers(session),
    ...modelsHandlers(session),
    ...gatewayHandlers(session),
    ...notificationsHandlers(session),
    ...desktopHandlers(session),
    ...dataHandlers(session),
  };
}
