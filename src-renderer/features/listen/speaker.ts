import { textLanguage } from '../../../src-main/common/text.ts';

/** In ms. Systems without a working voice accept texts and stay silent. */
const MOST_SILENCE = 5_000;
/** In ms. Browsers list the voices of the system some time after they were first asked for. */
const MOST_WAIT = 2_000;

export type Spoken = 'done' | 'stopped' | 'noVoice' | 'silent';

/** The parts of the Web Speech API in use. */
export type Synthesis = Pick<SpeechSynthesis, 'cancel' | 'getVoices' | 'speak'> & EventTarget;

/**
 * Reads texts aloud with voices of the system. A voice that is not local would send the text to its maker, so it is never
 * used: all of this works offline.
 */
export class Speaker {
  readonly #synthesis: Synthesis;
  /** Another one ends what is being said. */
  #turn = 0;
  /** Browsers lose the events of an utterance that nothing else refers to. */
  #utterance: SpeechSynthesisUtterance | null = null;

  constructor(synthesis: Synthesis) {
    this.#synthesis = synthesis;
  }

  /** Returns true if one of the sentences can be said. Without sentences: if there is any voice. */
  async canSay(sentences?: readonly string[]): Promise<boolean> {
    const voices = await this.#voices();
    return sentences ? sentences.some((sentence) => chooseFrom(voices)(sentence)) : voices.length > 0;
  }

  stop(): void {
    this.#turn += 1;
    this.#synthesis.cancel();
  }

  /**
   * Says sentences one after another, each by a voice of its language; leaves out those whose language has none.
   *
   * @param rate 1 is the voice's own speed
   * @param from the sentence to begin with
   * @param onsentence is told the index of each sentence before it is said
   */
  async say(
    sentences: readonly string[],
    rate: number,
    from: number,
    onsentence: (at: number) => void,
  ): Promise<Spoken> {
    this.stop();
    const turn = this.#turn;
    const voiceFor = chooseFrom(await this.#voices());
    let isSaid = false;
    for (const [at, sentence] of sentences.entries()) {
      if (turn !== this.#turn) return 'stopped';
      const voice = at < from ? null : voiceFor(sentence);
      if (!voice) continue;
      onsentence(at);
      const spoken = await this.#utter(sentence, voice, rate);
      if (turn !== this.#turn) return 'stopped';
      if (spoken !== 'done') return spoken;
      isSaid = true;
    }
    return isSaid || from > 0 ? 'done' : 'noVoice';
  }

  #utter(text: string, voice: SpeechSynthesisVoice, rate: number): Promise<Spoken> {
    const utterance = new SpeechSynthesisUtterance(text);
    Object.assign(utterance, { voice, lang: voice.lang, rate });
    this.#utterance = utterance;
    return new Promise((resolve) => {
      const silence = setTimeout(() => {
        this.#synthesis.cancel();
        resolve('silent');
      }, MOST_SILENCE);
      const end = (spoken: Spoken) => (): void => {
        clearTimeout(silence);
        if (this.#utterance === utterance) this.#utterance = null;
        resolve(spoken);
      };
      utterance.addEventListener('start', () => clearTimeout(silence));
      utterance.addEventListener('end', end('done'));
      utterance.addEventListener('error', end('silent'));
      this.#synthesis.speak(utterance);
    });
  }

  async #voices(): Promise<readonly SpeechSynthesisVoice[]> {
    const synthesis = this.#synthesis;
    if (synthesis.getVoices().length === 0) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, MOST_WAIT);
        const listed = (): void => {
          clearTimeout(late);
          resolve();
        };
        synthesis.addEventListener('voiceschanged', listed, { once: true });
      });
    }
    return synthesis.getVoices().filter(({ localService }) => localService);
  }
}

/**
 * Chooses by the language of a text: the system's default voice if it speaks that, or else the first one that does.
 * Some systems have thousands, so each language is looked up once.
 */
function chooseFrom(voices: readonly SpeechSynthesisVoice[]): (text: string) => SpeechSynthesisVoice | null {
  const chosen = new Map<string, SpeechSynthesisVoice | null>();
  return (text) => {
    const language = textLanguage(text) || document.documentElement.lang;
    const known = chosen.get(language);
    if (known !== undefined) return known;
    const fitting = voices.filter(({ lang }) => primary(lang) === primary(language));
    const voice = fitting.find((one) => one.default) ?? fitting[0] ?? null;
    chosen.set(language, voice);
    return voice;
  };
}

/** Returns the language of texts; without any, that of the page. */
export function languageOf(texts: readonly string[]): string {
  return primary(textLanguage(texts.join(' ')) || document.documentElement.lang);
}

/** Some systems write zh_CN, and some call Mandarin cmn. */
function primary(tag: string): string {
  const language = tag.toLowerCase().split(/[-_]/)[0] ?? '';
  return language === 'cmn' ? 'zh' : language;
}

/** Splits texts where a pause in them can be resumed. */
export function sentencesOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const segmenter = new Intl.Segmenter(textLanguage(text) || undefined, { granularity: 'sentence' });
    return [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter((sentence) => sentence !== '');
  });
}
