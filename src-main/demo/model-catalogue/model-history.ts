import { readPrice } from '../../contract/price.ts';
import { PURPOSE, Dice } from '../dice.ts';
import { datedModel } from './catalogue.ts';
import type { CatalogueModel } from './catalogue.ts';
import { ODDMENTS } from './oddments.ts';

const DAY = 86_400_000;
/** Always the same, other than the first day of the news: a catalogue that began anew would seem to change back. */
const FIRST_DAY = Date.UTC(2026, 0, 1);
/** How far the number of models may go from the one it began with. */
const FURTHEST = 4;

/** A moment at which something about the models of living content changes. */
export interface Turn {
  /** Milliseconds since 1970. */
  at: number;
  /** Decides what. */
  dice: Dice;
}

/** One to three turns a day, in order of time and without end. */
export function* turnsOf(seed: number): Generator<Turn, never> {
  for (let day = 0; ; day += 1) {
    const dice = new Dice(seed, PURPOSE.catalogue, day);
    const moments = Array.from({ length: dice.between(1, 3) }, () => dice.between(0, DAY - 1)).sort((a, b) => a - b);
    for (const [index, moment] of moments.entries()) {
      yield { at: FIRST_DAY + day * DAY + moment, dice: new Dice(seed, PURPOSE.catalogue, day, index) };
    }
  }
}

type Change = (models: CatalogueModel[], turn: Turn) => void;

const CHANGES: readonly Change[] = [
  reprice,
  reprice,
  reprice,
  release,
  release,
  retire,
  retire,
  announceExpiry,
  changeContext,
  changeParameters,
  changeModeration,
];

/** Lets a turn happen to a listing of models. `usual` is how many it began with. */
export function takeTurn(models: CatalogueModel[], usual: number, turn: Turn): void {
  const change = turn.dice.pick(CHANGES);
  if (change === release && models.length >= usual + FURTHEST) retire(models, turn);
  else if (change === retire && models.length <= usual - FURTHEST) release(models, turn);
  else change(models, turn);
}

/** All prices of a model rise or fall alike. */
export function reprice(models: CatalogueModel[], { dice }: Turn): void {
  const model = anyOf(models, dice, ({ pricing }) => readPrice(pricing['prompt']).kind === 'amount');
  if (!model) return;
  const factor = dice.pick(['0.5', '0.8', '0.9', '1.1', '1.25', '2']);
  for (const [name, given] of Object.entries(model.pricing)) {
    const price = readPrice(given);
    if (price.kind !== 'amount' || typeof given !== 'string') continue;
    const changed = price.value.times(factor).round(13);
    if (changed.gt(0)) model.pricing[name] = changed.toFixed();
  }
}

function release(models: CatalogueModel[], { at, dice }: Turn): void {
  const model = datedModel(dice, dateOf(at));
  if (!models.some(({ id }) => id === model.id)) models.unshift(model);
}

/** First those whose time has come. */
function retire(models: CatalogueModel[], { at, dice }: Turn): void {
  const today = dateOf(at);
  const expired = models.find(({ expiration_date: last }) => last !== null && last < today);
  const model = expired ?? anyOf(models, dice);
  if (model) models.splice(models.indexOf(model), 1);
}

function announceExpiry(models: CatalogueModel[], { at, dice }: Turn): void {
  const model = anyOf(models, dice, ({ expiration_date: last }) => last === null);
  if (model) model.expiration_date = dateOf(at + dice.between(14, 90) * DAY);
}

function changeContext(models: CatalogueModel[], { dice }: Turn): void {
  const model = anyOf(models, dice);
  if (!model) return;
  // Doubled, or halved again where it has become long enough.
  model.context_length = model.context_length > 1_000_000 ? model.context_length / 2 : model.context_length * 2;
  model.top_provider['context_length'] = model.context_length;
}

function changeParameters(models: CatalogueModel[], { dice }: Turn): void {
  const model = anyOf(models, dice);
  if (!model) return;
  const parameter = dice.pick(['parallel_tool_calls', 'min_p', 'structured_outputs', 'logprobs']);
  const had = model.supported_parameters.includes(parameter);
  model.supported_parameters = had
    ? model.supported_parameters.filter((name) => name !== parameter)
    : [...model.supported_parameters, parameter];
}

function changeModeration(models: CatalogueModel[], { dice }: Turn): void {
  const model = anyOf(models, dice);
  if (model) model.top_provider['is_moderated'] = model.top_provider['is_moderated'] !== true;
}

/** The models with odd prices stay as they are: they are there to be looked at. */
function anyOf(
  models: readonly CatalogueModel[],
  dice: Dice,
  isWanted: (model: CatalogueModel) => boolean = () => true,
): CatalogueModel | undefined {
  const wanted = models.filter((model) => !model.id.startsWith(`${ODDMENTS}/`) && isWanted(model));
  return wanted.length === 0 ? undefined : dice.pick(wanted);
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
