import { createContext } from 'svelte';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import { SETTINGS } from '../../../src-main/contract/settings.ts';
import { languageOf, sentencesOf, type Speaker } from './speaker.ts';

/** Read aloud as one: a story, an article, the opening of a report. */
export interface Passage {
  readonly title: string;
  readonly texts: readonly string[];
  /** Called when all of it was said. */
  readonly heard?: () => void;
}

/** Passages in their order. */
export interface Program {
  /** Moves to the next passage (1) or the one before (-1), and shows it. Null if there is none. */
  step: (by: 1 | -1) => Promise<Passage | null>;
}

export const SPEEDS = SETTINGS.listenSpeed.shape.options;

interface Ports {
  /** Null where the browser has no speech. */
  speaker: Speaker | null;
  /** 1 is the voice's own speed. */
  speed: () => number;
  onsilent: () => void;
}

/** Reads the passages of a program aloud, one after another. */
export class Listening {
  readonly #ports: Ports;
  #program = $state.raw<Program | null>(null);
  #passage = $state.raw<Passage | null>(null);
  #isSpeaking = $state(false);
  /** The language for which a call found no voice, until the reader has seen that. */
  lacksVoice = $state<string | null>(null);
  #sentences: readonly string[] = [];
  #at = 0;
  /** Another one ends what was begun before it. */
  #turn = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get isOffered(): boolean {
    return this.#ports.speaker !== null;
  }
  /** Null while nothing is read aloud. */
  get passage(): Passage | null {
    return this.#passage;
  }
  get isSpeaking(): boolean {
    return this.#isSpeaking;
  }

  /**
   * Begins with the next passage of a program. Nothing is shown or opened if there is no voice.
   *
   * @param open called once there is a voice; null if there is nothing to read
   */
  async start(open: () => Promise<Program | null> | Program | null): Promise<void> {
    this.stop();
    const turn = this.#turn;
    const hasVoice = await this.#ports.speaker?.canSay();
    if (turn !== this.#turn) return;
    if (!hasVoice) this.lacksVoice = languageOf([]);
    const program = hasVoice ? await open() : null;
    if (turn !== this.#turn || !program) return;
    this.#program = program;
    await this.step(1);
  }

  stop(): void {
    this.#silence();
    this.#program = null;
    this.#passage = null;
  }

  /** Goes on with the sentence in which it was paused. */
  toggle(): void {
    if (this.#isSpeaking) this.#silence();
    else void this.#say();
  }

  /** Says the current sentence again at another speed. */
  hurry(): void {
    if (this.#isSpeaking) void this.#say();
  }

  /** Leaves the passage for the next one or the one before. After the last one it ends. */
  async step(by: 1 | -1): Promise<void> {
    this.#silence();
    const turn = this.#turn;
    const passage = (await this.#program?.step(by)) ?? null;
    if (turn !== this.#turn) return;
    if (passage === null && by === 1) this.stop();
    else await this.#begin(passage ?? this.#passage);
  }

  async #begin(passage: Passage | null): Promise<void> {
    const sentences = sentencesOf(passage?.texts ?? []);
    const turn = this.#turn;
    // The bar appears with what is said.
    const canSay = this.#passage !== null || (await this.#ports.speaker?.canSay(sentences));
    if (turn !== this.#turn) return;
    if (!canSay) {
      this.stop();
      this.lacksVoice = languageOf(sentences);
      return;
    }
    this.#passage = passage;
    this.#sentences = sentences;
    this.#at = 0;
    void this.#say();
  }

  #silence(): void {
    this.#turn += 1;
    this.#isSpeaking = false;
    this.#ports.speaker?.stop();
  }

  async #say(): Promise<void> {
    const { speaker, speed, onsilent } = this.#ports;
    const passage = this.#passage;
    if (!speaker || !passage) return;
    const turn = (this.#turn += 1);
    this.#isSpeaking = true;
    const spoken = await speaker.say(this.#sentences, speed(), this.#at, (at) => (this.#at = at));
    if (turn !== this.#turn || spoken === 'stopped') return;
    if (spoken !== 'done') {
      this.stop();
      if (spoken === 'silent') onsilent();
      else this.lacksVoice = languageOf(this.#sentences);
      return;
    }
    passage.heard?.();
    await this.step(1);
  }
}

export interface ListenContext {
  readonly listening: Listening;
  /** Each begins where the reader is. What was heard counts as read. */
  readonly listenTo: {
    readonly item: (item: StoredItem) => void;
    /** Opens the newest daily first. */
    readonly daily: () => void;
    /** Opens the report with which Today leads first. */
    readonly lead: () => void;
    readonly report: () => void;
    readonly unread: () => void;
  };
}

export const [listenContext, setListenContext] = createContext<ListenContext>();
