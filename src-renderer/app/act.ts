import { m } from '../../src-main/common/i18n/messages.ts';
import type { Announcer } from '../ui/feedback/toasts.svelte.ts';
import type { Act, Toasts } from '../ui/page-context.ts';
import type { UndoStack } from './undo.svelte.ts';

interface App {
  readonly announcer: Pick<Announcer, 'say'>;
  readonly toasts: Pick<Toasts, 'show' | 'complain'>;
  readonly undo: UndoStack;
}

/** Returns the one way to save what the reader does: it reports the result and offers to undo it. */
export function actOf({ announcer, toasts, undo }: App): Act {
  return ({
    what: text,
    call,
    takeBack,
    undone,
    failed = m.failure_mark_failed(),
    complains = true,
    bulk = false,
    tell = 'screenReader',
    began = performance.now(),
  }) => {
    const act = async () => {
      const reply = await call();
      if (!reply.ok) {
        if (complains) toasts.complain(failed, reply.error);
        return reply;
      }
      const what = typeof text === 'string' ? text : text(reply.value);
      if (what === null) return reply;
      const step = takeBack && {
        what,
        bulk,
        takeBack: async () => {
          const taken = await takeBack(reply.value);
          if (taken?.ok === true) toasts.show(undone?.(taken.value) ?? m.undo_done({ what }));
          else if (taken) toasts.complain(failed, taken.error);
          // Don't try again if it is gone for good: the next undo is for the action before.
          return taken === null || taken.ok || taken.error.code === 'not_found';
        },
      };
      if (step) undo.push(step, began);
      if (tell === 'toast') {
        const action = step && { label: m.undo(), run: () => void undo.undo(step) };
        toasts.show(what, action && { action });
      } else if (tell === 'screenReader') announcer.say(what);
      return reply;
    };
    return bulk ? undo.next(act) : undo.during(act());
  };
}
