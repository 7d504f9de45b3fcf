import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { compileAtFirstUse } from '../../src-main/store/deferred-statements.ts';

function openScene() {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  compileAtFirstUse(database);
  return database;
}

describe('statements that are compiled at their first use', () => {
  it('may be made before their table', () => {
    const database = openScene();
    const count = database.prepare<[], number>('SELECT count(*) FROM word').pluck();
    const add = database.prepare<[string]>('INSERT INTO word VALUES (?)');
    database.exec('CREATE TABLE word (text TEXT)');
    expect(add.run('one').changes).toBe(1);
    expect(add.run('two').changes).toBe(1);
    expect(count.get()).toBe(2);
  });

  it('answer as others do, at the first call and at later ones', () => {
    const database = openScene();
    const numbers = database.prepare<[number], { n: number }>(
      'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ?) SELECT n FROM s',
    );
    for (let call = 0; call < 2; call += 1) {
      expect(numbers.all(2)).toEqual([{ n: 1 }, { n: 2 }]);
      expect([...numbers.iterate(2)]).toEqual([{ n: 1 }, { n: 2 }]);
      expect(numbers.get(2)).toEqual({ n: 1 });
    }
    expect(database.prepare('SELECT 1, 2').raw().all()).toEqual([[1, 2]]);
    expect(database.prepare('SELECT 1, 2').pluck().get()).toBe(1);
  });

  it('are compiled once, however often the form of their answers is asked for', () => {
    const database = new Database(':memory:');
    onTestFinished(() => void database.close());
    const compile = vi.spyOn(database, 'prepare');
    compileAtFirstUse(database);
    const one = database.prepare('SELECT 1, 2');
    for (let call = 0; call < 3; call += 1) {
      expect(one.pluck().all()).toEqual([1]);
      expect(one.raw().all()).toEqual([[1, 2]]);
      expect(one.get()).toEqual([1, 2]);
    }
    expect(compile).toHaveBeenCalledTimes(1);
  });

  it('fail when they first run, each time', () => {
    const database = openScene();
    const wrong = database.prepare('SELECT * FROM later');
    for (let call = 0; call < 2; call += 1) expect(() => wrong.all()).toThrow('no such table: later');
    database.exec('CREATE TABLE later (text TEXT)');
    expect(wrong.all()).toEqual([]);
  });

  it('take part in transactions', () => {
    const database = openScene();
    database.exec('CREATE TABLE word (text TEXT)');
    const add = database.prepare<[string]>('INSERT INTO word VALUES (?)');
    const addAll = database.transaction(() => {
      add.run('one');
      throw new Error('no');
    });
    expect(addAll).toThrow('no');
    expect(database.prepare('SELECT * FROM word').all()).toEqual([]);
  });
});
