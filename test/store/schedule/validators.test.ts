import { describe, expect, it } from 'vitest';
import { openWriter } from '../../support/store.ts';

describe('a validator', () => {
  it('is kept byte for byte', () => {
    const writer = openWriter();
    const etag = 'W/"aé 1\\"';
    writer.write((write) => {
      write.validators.set('items', 'mode=all', etag);
    });
    expect(writer.validators.get('items', 'mode=all')).toBe(etag);
  });

  it('is good for the one address that gave it', () => {
    const { validators } = openWriter();
    validators.set('selected', 'cursor-1', '"1"');
    expect(validators.get('selected', 'cursor-2')).toBeUndefined();
    expect(validators.get('items', 'cursor-1')).toBeUndefined();
    validators.set('selected', 'cursor-2', '"2"');
    expect(validators.get('selected', 'cursor-1')).toBeUndefined();
    expect(validators.get('selected', 'cursor-2')).toBe('"2"');
  });

  it('goes where the body that is stored now had none, and when it is cleared', () => {
    const { validators } = openWriter();
    validators.set('items', 'mode=all', '"1"');
    validators.set('items', 'mode=all', null);
    expect(validators.get('items', 'mode=all')).toBeUndefined();
    validators.set('items', 'mode=all', '"2"');
    validators.clear('items');
    expect(validators.get('items', 'mode=all')).toBeUndefined();
  });

  it('is not kept without the body: a write that throws leaves the one before', () => {
    const writer = openWriter();
    writer.validators.set('items', 'mode=all', '"1"');
    expect(() =>
      writer.write((write) => {
        write.validators.set('items', 'mode=all', '"2"');
        throw new Error('cut short');
      }),
    ).toThrow('cut short');
    expect(writer.validators.get('items', 'mode=all')).toBe('"1"');
  });
});
