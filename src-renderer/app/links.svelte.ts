import { m } from '../../src-main/common/i18n/messages.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { Links, Toasts } from '../ui/page-context.ts';
import { safeLink } from '../../src-main/contract/addresses.ts';

interface LinksOptions {
  wire: Wire;
  toasts: Toasts;
  /** True if the host opens links; otherwise the page does. */
  hostOpens: () => boolean;
}

export class WebLinks implements Links {
  readonly #options: LinksOptions;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  // Arrow functions, because views pass these two on as callbacks.
  readonly open = (address: string | null): void => {
    const { wire, toasts, hostOpens } = this.#options;
    const url = safeLink(address);
    if (url === null) {
      toasts.show(address ? m.error_link_refused() : m.article_no_link(), { tone: 'problem' });
    } else if (hostOpens()) {
      void toasts.complainIfFailed(m.failure_title(), wire.call('links.open', { url }));
    } else {
      window.open(url, '_blank', 'noopener,noreferrer');
    }
  };

  readonly copy = (address: string): Promise<void> => this.#options.toasts.copy(address, m.copied(), m.copy_failed());
}
