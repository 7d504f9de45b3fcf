import { type Args, type Bodies, methodsOf, type MethodsOf } from '../contract/methods.ts';
import { healthHandlers } from './health.ts';
import { reportsHandlers } from './reports.ts';
import { exportHandlers } from './exports.ts';
import { dataHandlers } from './data.ts';
import { desktopHandlers } from './desktop.ts';
import { gatewayHandlers } from './gateway.ts';
import { itemsHandlers } from './items.ts';
import { linksHandlers } from './links.ts';
import { marksFolderHandlers } from './marks-folder.ts';
import { modelsHandlers } from './models.ts';
import { notesHandlers } from './notes.ts';
import { notificationsHandlers } from './notifications.ts';
import { pageHandlers } from './page.ts';
import { searchHandlers } from './search.ts';
import type { Handlers, Session } from './types.ts';
import { settingsHandlers } from './settings.ts';
import { sourcesHandlers } from './sources.ts';
import { storiesHandlers } from './stories.ts';
import { visitsHandlers } from './visits.ts';

/** Handlers for all methods of the contract. */
export function createHandlers(session: Session): Handlers {
  return {
    ...forwarded(session),
    ...itemsHandlers(session),
    ...searchHandlers(session),
    ...reportsHandlers(session),
    ...exportHandlers(session),
    ...healthHandlers(session),
    ...settingsHandlers(session),
    ...linksHandlers(session),
    ...pageHandlers(session),
    ...visitsHandlers(session),
    ...sourcesHandlers(session),
    ...storiesHandlers(session),
    ...modelsHandlers(session),
    ...gatewayHandlers(session),
    ...marksFolderHandlers(session),
    ...notesHandlers(session),
    ...notificationsHandlers(session),
    ...desktopHandlers(session),
    ...dataHandlers(session),
  };
}

/** Forwards the methods that the engine implements. Reads the engine on each call, because it can be replaced. */
function forwarded(session: Session): Bodies<MethodsOf<'engine'>> {
  const bodies = methodsOf('engine').map((method) => [
    method,
    (args: Args<typeof method>) => session.engine.call(method, args),
  ]);
  return Object.fromEntries(bodies) as Bodies<MethodsOf<'engine'>>;
}
