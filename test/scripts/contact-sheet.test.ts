import { describe, expect, it } from 'vitest';
import { contactSheet, pictureNames } from '../../scripts/testing/contact-sheet.mjs';

const FILES = [
  'topic-480-dark-zh.png',
  'topic-1440-light-en.png',
  'model-chart-1440-light-en.png',
  'topic-720-light-en.png',
  'topic-1440-dark-zh.png',
  'index.html',
  'large-list.png',
];

describe('the page with all pictures', () => {
  it('takes pictures by the parts of their names, and leaves out what is none', () => {
    expect(pictureNames(FILES)).toHaveLength(5);
    expect(pictureNames(['model-chart-1440-light-en.png'])).toEqual([
      { file: 'model-chart-1440-light-en.png', scene: 'model-chart', width: 1440, scheme: 'light', language: 'en' },
    ]);
  });

  it('takes scenes with digits and capitals in their names', () => {
    const names = pictureNames(['welcome-2-720-light-en.png', 'settings-aiTools-480-dark-zh.png']);
    expect(names.map(({ scene, width }) => [scene, width])).toEqual([
      ['settings-aiTools', 480],
      ['welcome-2', 720],
    ]);
  });

  it('has a section for each scene, and in it the wide ones first, each leading to its file', () => {
    const page = contactSheet(FILES);
    expect([...page.matchAll(/<h2 id="([^"]+)">/g)].map(([, scene]) => scene)).toEqual(['model-chart', 'topic']);
    expect([...page.matchAll(/<a href="([^"#]+)">/g)].map(([, file]) => file)).toEqual([
      'model-chart-1440-light-en.png',
      'topic-1440-light-en.png',
      'topic-720-light-en.png',
      'topic-1440-dark-zh.png',
      'topic-480-dark-zh.png',
    ]);
    expect(page).toContain('5 pictures of 2 scenes');
  });

  it('shows the earlier picture, the later one and what differs', () => {
    const page = contactSheet(['topic-720-light-en.png'], '/before');
    const [earlier, later] = ['file:///before/topic-720-light-en.png', 'topic-720-light-en.png'];
    expect([...page.matchAll(/<a href="([^"#]+)">/g)].map(([, file]) => file)).toEqual([earlier, later]);
    expect([...page.matchAll(/<img src="([^"]+)"/g)].map(([, file]) => file)).toEqual([earlier, later, earlier, later]);
  });

  it('says so if there are none', () => {
    expect(contactSheet([])).toContain('0 pictures of 0 scenes');
  });
});
