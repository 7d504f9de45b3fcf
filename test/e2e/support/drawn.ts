import type { Page } from 'playwright';

/**
 * Waits until nothing in the page moves or fades any more: faded elements reach their colour only at the end. An animation
 * that is removed with its element, such as that of a list that is loading, is over too, and others may follow it.
 */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (;;) {
      // Changes start to fade in the next frame.
      await nextFrame();
      await nextFrame();
      const moving = document.getAnimations().filter(({ playState }) => playState === 'running');
      if (moving.length === 0) return;
      await Promise.allSettled(moving.map((animation) => animation.finished));
    }
  });
}

/** Gives the window another size, and waits until the page has the layout for it: a first look would find the old one. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await drawn(page);
}
