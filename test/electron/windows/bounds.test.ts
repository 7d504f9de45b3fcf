import { describe, expect, it } from 'vitest';
import { bringBack, cascade, placeWindow } from '../../../src-main/electron/windows/bounds.ts';

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const beside = { x: 1440, y: 0, width: 1920, height: 1080 };

describe('the position of a window', () => {
  it('is where it was closed, on the same screen', () => {
    const remembered = { x: 1700, y: 100, width: 1000, height: 700, maximized: false };
    expect(placeWindow(remembered, [laptop, beside])).toEqual(remembered);
  });

  it('is chosen by the system the first time', () => {
    expect(placeWindow({}, [laptop])).toEqual({ width: 1280, height: 820, maximized: false });
  });

  it('is in the middle of the primary screen, in its own size, if the saved one was unplugged', () => {
    const remembered = { x: 1700, y: 100, width: 1000, height: 700, maximized: true };
    expect(placeWindow(remembered, [laptop])).toEqual({ ...remembered, x: 220, y: 113 });
  });

  it('is moved completely onto the screen', () => {
    const remembered = { x: 1200, y: 600, width: 800, height: 600, maximized: false };
    expect(placeWindow(remembered, [laptop])).toEqual({ x: 640, y: 300, width: 800, height: 600, maximized: false });
  });

  it('has at most the size of a smaller screen', () => {
    const remembered = { x: 0, y: 25, width: 3000, height: 2000, maximized: false };
    expect(placeWindow(remembered, [laptop])).toEqual({ ...laptop, maximized: false });
  });

  it('has a minimum size', () => {
    const remembered = { x: 100, y: 100, width: 1, height: -5, maximized: false };
    for (const size of [{}, { width: 200, height: 100 }])
      expect(placeWindow({ ...remembered, ...size }, [laptop])).toMatchObject({ width: 480, height: 400 });
  });

  it('keeps a barely visible title bar reachable', () => {
    const below = { x: 100, y: 880, width: 800, height: 600, maximized: false };
    expect(placeWindow(below, [laptop])).toMatchObject({ y: 163 });
    const aside = { x: 1400, y: 100, width: 800, height: 600, maximized: false };
    expect(placeWindow(aside, [laptop])).toMatchObject({ x: 320 });
  });

  it.each([
    null,
    'wide',
    [],
    { x: '0', y: 0, width: 800, height: 600 },
    { x: 0, y: 0, width: NaN, height: 600 },
    { x: 1e12, y: 0, width: 800, height: 600 },
  ])('ignores invalid bounds: %j', (remembered) => {
    expect(placeWindow(remembered, [laptop])).toEqual({ width: 1280, height: 820, maximized: false });
  });

  it('works without any known screen', () => {
    expect(placeWindow({ x: 0, y: 0, width: 800, height: 600 }, [])).toEqual({
      width: 1280,
      height: 820,
      maximized: false,
    });
  });
});

describe('the position of another window of the same kind', () => {
  const box = { x: 100, y: 100, width: 800, height: 600 };

  it('is offset from the previous one, on the same screen', () => {
    expect(cascade(box, [laptop, beside])).toEqual({ ...box, x: 128, y: 128, maximized: false });
    expect(cascade({ ...box, x: 1500 }, [laptop, beside])).toMatchObject({ x: 1528, y: 128 });
  });

  it('is the corner again if the offset leaves the screen', () => {
    expect(cascade({ ...box, x: 630, y: 290 }, [laptop])).toMatchObject({ x: 0, y: 25 });
  });

  it('is never off the screens, however many windows there are', () => {
    let last = cascade(box, [laptop]);
    for (let count = 0; count < 100; count += 1) {
      last = cascade({ ...box, ...last }, [laptop]);
      expect(last.x! + last.width).toBeLessThanOrEqual(laptop.x + laptop.width);
      expect(last.y! + last.height).toBeLessThanOrEqual(laptop.y + laptop.height);
    }
  });

  it('has the size for reading the first time', () => {
    expect(placeWindow(undefined, [beside], 'article')).toEqual({ width: 860, height: 900, maximized: false });
  });
});

describe('an open window whose screen is removed', () => {
  it.each([
    ['stays if it can be reached', { x: 100, y: 100, width: 800, height: 600 }, null],
    ['stays if its title bar is visible', { x: 1300, y: 100, width: 800, height: 600 }, null],
    ['moves to the center', { x: 1700, y: 100, width: 840, height: 600 }, { x: 300, y: 163, width: 840, height: 600 }],
    ['is resized to fit', { x: 1700, y: 0, width: 3000, height: 2000 }, laptop],
    ['is found below', { x: 0, y: 890, width: 840, height: 600 }, { x: 300, y: 163, width: 840, height: 600 }],
  ])('%s', (_what, box, place) => {
    expect(bringBack(box, [laptop])).toEqual(place);
  });

  it('stays if no screen is known', () => {
    expect(bringBack({ x: 0, y: 0, width: 800, height: 600 }, [])).toBeNull();
  });
});
