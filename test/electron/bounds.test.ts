import { describe, expect, it } from 'vitest';
import { placeWindow } from '../../src-main/electron/bounds.ts';

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
