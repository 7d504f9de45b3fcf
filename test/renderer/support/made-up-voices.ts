import { onTestFinished, vi } from 'vitest';
import { settle } from './settle.ts';

interface Voice {
  lang: string;
  localService?: boolean;
  default?: boolean;
}

class Utterance extends EventTarget {
  readonly text: string;
  voice: Voice | null = null;
  rate = 1;

  constructor(text: string) {
    super();
    this.text = text;
  }
}

/** The Web Speech API with these voices. Each sentence is said until the test ends it. */
export class MadeUpVoices extends EventTarget {
  voices: Voice[];
  /** The sentences so far: text, language of the voice and speed. */
  readonly said: [text: string, lang: string | undefined, rate: number][] = [];
  #current: Utterance | null = null;
  isMute = false;

  constructor(voices: Voice[]) {
    super();
    this.voices = voices;
    vi.stubGlobal('speechSynthesis', this);
    vi.stubGlobal('SpeechSynthesisUtterance', Utterance);
    onTestFinished(() => void vi.unstubAllGlobals());
  }

  getVoices(): Voice[] {
    return this.voices.map((voice) => ({ localService: true, default: false, ...voice }));
  }

  speak(utterance: Utterance): void {
    if (this.isMute) return;
    this.said.push([utterance.text, utterance.voice?.lang, utterance.rate]);
    this.#current = utterance;
    utterance.dispatchEvent(new Event('start'));
  }

  cancel(): void {
    const interrupted = this.#current;
    this.#current = null;
    interrupted?.dispatchEvent(new Event('error'));
  }

  get sentence(): string | null {
    return this.#current?.text ?? null;
  }

  async endSentence(): Promise<void> {
    const ended = this.#current;
    this.#current = null;
    ended?.dispatchEvent(new Event('end'));
    await settle();
  }

  /** Ends sentences until one with this text has begun, or none follows. */
  async endUntil(isWanted: (sentence: string) => boolean = () => false): Promise<void> {
    for (let left = 2_000; left > 0 && this.sentence !== null && !isWanted(this.sentence); left -= 1) {
      await this.endSentence();
    }
  }
}
