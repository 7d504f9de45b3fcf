import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { NotificationTrial } from '../../../../src-main/contract/model/notification.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import { Action } from '../../../ui/action.svelte.ts';
import type { Outcome } from '../../../ui/feedback/outcome.ts';
import type { SettingsState } from '../settings.svelte.ts';

const SAYS: Record<NotificationTrial['outcome'], (trial: NotificationTrial) => string> = {
  shown: () => m.settings_notifications_test_shown(),
  failed: ({ reason }) => m.settings_notifications_test_failed({ reason }),
  unknown: () => m.settings_notifications_test_unknown(),
};

/** A test notification of the desktop, and its outcome. */
export class NotificationTest {
  readonly #wire: Wire;
  readonly #action = new Action<'test'>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  static in(settings: SettingsState): NotificationTest {
    return settings.part((wire) => new NotificationTest(wire));
  }

  get outcome(): Outcome | null {
    return this.#action.outcomeOf('test');
  }

  async run(): Promise<void> {
    await this.#action.run('test', () => this.#wire.call('notifications.test', {}), {
      meanwhile: m.settings_notifications_testing(),
      done: (trial) => SAYS[trial.outcome](trial),
    });
  }
}
