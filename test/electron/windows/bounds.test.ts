import { describe, expect, it } from 'vitest';
import { bringBack, placeBeside, placeWindow } from '../../../src-main/electron/windows/bounds.ts';

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const beside = { x: 1440, y: 0, width: 1920, height: 1080 };

describe('where the window opens', () => {
  it('is where it was closed, on the screen where it was', () => {
    const remembered = { x: 1700, y: 100, width: 1000, height: 700, maximized: false };
    expect(placeWindow(remembered, [laptop, beside])).toEqual(remembered);
  });

  it('is left to the system the first time', () => {
    expect(placeWindow({}, [laptop])).toEqual({ width: 1280, height: 820, maximized: false });
  });

  it('is the primary screen when the remembered one was unplugged', () => {
    const remembered = { x: 1700, y: 100, width: 1000, height: 700, maximized: true };
    expect(placeWindow(remembered, [laptop])).toEqual({ width: 1280, height: 820, maximized: true });
  });

  it('is wholly on the screen when an edge had slipped off', () => {
    const remembered = { x: 1200, y: 600, width: 800, height: 600, maximized: false };
    expect(placeWindow(remembered, [laptop])).toEqual({ x: 640, y: 300, width: 800, height: 600, maximized: false });
  });

  it('is no larger than a screen that has shrunk', () => {
    const remembered = { x: 0, y: 25, width: 3000, height: 2000, maximized: false };
    expect(placeWindow(remembered, [laptop])).toEqual({ ...laptop, maximized: false });
  });

  it('is never too small to use', () => {
    const remembered = { x: 100, y: 100, width: 1, height: -5, maximized: false };
    expect(placeWindow(remembered, [laptop])).toMatchObject({ width: 1280, height: 820 });
    expect(placeWindow({ ...remembered, width: 200, height: 100 }, [laptop])).toMatchObject({
      width: 480,
      height: 400,
    });
  });

  it('keeps a title bar that only just shows from being lost', () => {
    const below = { x: 100, y: 880, width: 800, height: 600, maximized: false };
    expect(placeWindow(below, [laptop])).not.toHaveProperty('y');
    const aside = { x: 1400, y: 100, width: 800, height: 600, maximized: false };
    expect(placeWindow(aside, [laptop])).not.toHaveProperty('x');
  });

  it.each([
    null,
    'wide',
    [],
    { x: '0', y: 0, width: 800, height: 600 },
    { x: 0, y: 0, width: NaN, height: 600 },
    { x: 1e12, y: 0, width: 800, height: 600 },
  ])('does not trust the file: %j', (remembered) => {
    expect(placeWindow(remembered, [laptop])).toEqual({ width: 1280, height: 820, maximized: false });
  });

  it('opens where no screen is known at all', () => {
    expect(placeWindow({ x: 0, y: 0, width: 800, height: 600 }, [])).toEqual({
      width: 1280,
      height: 820,
      maximized: false,
    });
  });
});

describe('where a further window of a kind opens', () => {
  const box = { x: 100, y: 100, width: 800, height: 600 };

  it('is a step from the one before it, on the same screen', () => {
    expect(placeBeside(box, [laptop, beside])).toEqual({ ...box, x: 128, y: 128, maximized: false });
    expect(placeBeside({ ...box, x: 1500 }, [laptop, beside])).toMatchObject({ x: 1528, y: 128 });
  });

  it('is the corner again where the next step leads off the screen', () => {
    expect(placeBeside({ ...box, x: 630, y: 290 }, [laptop])).toMatchObject({ x: 0, y: 25 });
  });

  it('is never off the screens, however many there are', () => {
    let last = placeBeside(box, [laptop]);
    for (let count = 0; count < 100; count += 1) {
      last = placeBeside({ ...box, ...last }, [laptop]);
      expect(last.x! + last.width).toBeLessThanOrEqual(laptop.x + laptop.width);
      expect(last.y! + last.height).toBeLessThanOrEqual(laptop.y + laptop.height);
    }
  });

  it('has the size that a report is read in, the first time', () => {
    expect(placeWindow(undefined, [beside], 'article')).toEqual({ width: 860, height: 900, maximized: false });
  });
});

describe('an open window whose screen goes', () => {
  it.each([
    ['stays where it is in reach', { x: 100, y: 100, width: 800, height: 600 }, null],
    ['stays where its title bar shows', { x: 1300, y: 100, width: 800, height: 600 }, null],
    ['comes to the middle', { x: 1700, y: 100, width: 840, height: 600 }, { x: 300, y: 163, width: 840, height: 600 }],
    ['is made to fit', { x: 1700, y: 0, width: 3000, height: 2000 }, laptop],
    ['is found below', { x: 0, y: 890, width: 840, height: 600 }, { x: 300, y: 163, width: 840, height: 600 }],
  ])('%s', (_what, box, place) => {
    expect(bringBack(box, [laptop])).toEqual(place);
  });

  it('stays where no screen is known at all', () => {
    expect(bringBack({ x: 0, y: 0, width: 800, height: 600 }, [])).toBeNull();
  });
});
