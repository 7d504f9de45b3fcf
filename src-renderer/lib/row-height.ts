import type { Settings } from '../../src-main/contract/settings.ts';

/** The fixed height of a list row in px. `ListRow.svelte` lays its lines out to fit. */
export const ROW_HEIGHT: Readonly<Record<Settings['density'], number>> = { comfortable: 114, compact: 60 };
