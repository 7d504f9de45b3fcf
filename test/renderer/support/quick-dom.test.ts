import { describe, expect, test } from 'vitest';
import { labelsOfJsdom, wholeStyle } from './quick-dom.ts';
import { openOnItems } from './shown-view.ts';
import { waitFor } from './wait.ts';

// Tags of each kind in jsdom's style sheet, with each attribute that its rules for `display` and `visibility` name.
const tags =
  'address area article audio b button canvas datalist dd div dl dt embed em fieldset form h2 iframe img label legend li link main ' +
  'meter nav noscript ol optgroup option output p pre progress script section select slot span';
const tableTags =
  '<table{}><caption{}></caption><colgroup{}><col{}></colgroup><thead{}><tr{}><th{}></th></tr></thead></table>';

const attributes = [
  '',
  ' hidden',
  ' hidden=until-found',
  ' popover',
  ' open',
  ' style="display: none"',
  ' style="visibility: hidden"',
];

function madeUp(attribute: string): string {
  const plain = tags
    .split(' ')
    .map((tag) => `<${tag}${attribute}><i>text</i></${tag}>`)
    .join('');
  const fields = ['hidden', 'HIDDEN', 'text', 'checkbox', 'file']
    .map((type) => `<input type="${type}"${attribute}>`)
    .join('');
  const folded = `<details${attribute}><summary${attribute}>a</summary><summary>b</summary><p>c</p></details><dialog${attribute}>d</dialog>`;
  const drawn = `<svg${attribute}><title>t</title><a><text>u</text></a></svg><template${attribute}></template>`;
  return plain + fields + folded + drawn + tableTags.replaceAll('{}', attribute);
}

function everyElement(): Element[] {
  return [...document.querySelectorAll('*')];
}

/** Those of which the quick answer is another one than jsdom's. */
function differing(): string[] {
  return everyElement()
    .filter((element) => {
      const [quick, whole] = [getComputedStyle(element), wholeStyle(element)];
      const same = quick.display === whole.display && quick.visibility === whole.visibility;
      return (
        !same ||
        quick.getPropertyValue('display') !== whole.display ||
        quick.getPropertyValue('visibility') !== whole.visibility
      );
    })
    .map((element) => element.outerHTML.slice(0, 120));
}

describe('the quick answers about the page', () => {
  test.each(attributes)('are those of jsdom about every element%s', (attribute) => {
    document.body.innerHTML = madeUp(attribute);
    expect(everyElement().length).toBeGreaterThan(50);
    expect(differing()).toEqual([]);
  });

  test('are those of jsdom once the page has a style sheet, and of every other property', () => {
    document.body.innerHTML = '<style>p { display: none; color: red }</style><p>text</p><em>text</em>';
    expect(getComputedStyle(document.querySelector('p')!).display).toBe('none');
    document.querySelector('style')!.remove();
    const em = document.querySelector('em')!;
    expect(getComputedStyle(em).fontStyle).toBe('italic');
    expect(getComputedStyle(em).getPropertyValue('font-style')).toBe('italic');
  });

  test('name the labels that jsdom finds, in its order', () => {
    document.body.innerHTML = `<label for="a">1</label><label>2<input id="a"><input id="b"></label><label for="a">3</label>
      <label><label>4<button id="c">c</button></label></label><label for="none">5<select id="d"></select></label>
      <input type="hidden" id="e"><label for="e">6</label><textarea id="f"></textarea><input><input id="a"><label for="">7</label>`;
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, button, select, textarea')];
    const labels = fields.map((field) =>
      field.labels === null ? null : [...field.labels].map((label) => label.textContent),
    );
    expect(labels).toEqual(fields.map((field) => labelsOfJsdom(field)?.map((label) => label.textContent) ?? null));
    expect(labels.flat().filter((label) => label !== null).length).toBeGreaterThan(4);
  });

  test('are those of jsdom about the whole page', async () => {
    const { app } = await openOnItems();
    app.openSettings('appearance');
    await waitFor(() => expect(document.querySelector('dialog [role=tabpanel]')).not.toBeNull());
    expect(differing()).toEqual([]);
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, button, select, textarea')];
    const labels = fields.map((field) => (field.labels === null ? null : [...field.labels]));
    expect(labels).toEqual(fields.map((field) => labelsOfJsdom(field)));
  });
});
