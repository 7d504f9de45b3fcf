export type Category = 'ai-models' | 'ai-products' | 'industry' | 'paper' | 'tip' | 'opinion';
export type Language = 'zh' | 'en';

/** The same thing in both languages. */
export interface Bilingual {
  zh: string;
  en: string;
}

/** How one language tells one kind of event. `{name}` stands for a value of the fact. */
export interface Telling {
  titles: readonly string[];
  /** The first sentence. */
  leads: readonly string[];
  /** Further sentences; each can stand after any other. */
  details: readonly string[];
}

/** A kind of event that news are about. */
export interface Kind {
  zh: Telling;
  en: Telling;
  /** Why an editor would choose it. */
  reasons: Bilingual[];
}

/** What is true of one event, by the name that templates use. */
export type Fact = Record<string, Bilingual>;

/** Puts the values of a fact into a template. Errors: throws for a name that the fact lacks, which is a mistake in a template. */
export function fill(template: string, fact: Fact, language: Language): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fact[name];
    if (!value) throw new Error(`No value for {${name}} in: ${template}`);
    return value[language];
  });
}
