import { mix } from '../random.ts';

const NOTES = {
  zh: ['每周一至周五更新，编辑部精选', '官方账号'],
  en: ['full feed, English edition', 'official'],
};

/** Adds a platform, a handle or a note in brackets, as raw sources do. Half of the names stay plain. */
export function rawSourceName(name: string): string {
  const form = mix(...Buffer.from(name)) % 8;
  const notes = /\p{Script=Han}/u.test(name) ? NOTES.zh : NOTES.en;
  if (form === 0) return `X：${name} (@${handleOf(name)})`;
  if (form === 1) return `公众号：${name}（${notes[0]}）`;
  if (form === 2) return `${name}（${notes[1]}）`;
  if (form === 3) return `RSS: ${name} (${notes[0]})`;
  return name;
}

function handleOf(name: string): string {
  const letters = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return letters === '' ? `user_${mix(...Buffer.from(name)).toString(36)}` : letters;
}
