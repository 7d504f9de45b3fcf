import type { HttpAnswer, HttpRequest } from './http.ts';
import { agenda, digest, HOUR, MINUTE, random, share } from './random.ts';

export const GATEWAY_KEY = 'fortnight-key';

export interface GatewayModel {
  id: string;
  name: string;
  prompt: string;
  completion: string;
  contextLength: number;
}

/** How a list is not what the gateway has: all gone, half of it, without prices, prices of "0"; or it is refused. */
export type ModelTrouble = 'empty' | 'half' | 'no prices' | 'zero prices' | 'refused' | null;

export interface Gateway {
  trouble: ModelTrouble;
  /** Sends pages with `links.next`, although none were requested. */
  paged: boolean;
  models: ReadonlyMap<string, GatewayModel>;
  embeddings: ReadonlyMap<string, GatewayModel>;
  /** When each model changed last, in any way, in ms since 1970. */
  changedAt: ReadonlyMap<string, number>;
  /** Real changes since the start: added, removed, and each changed field of a model. */
  changes: number;
  breaches: string[];
  advance(to: number): void;
  answer(request: HttpRequest, origin: string): HttpAnswer;
}

const PAGE = 150;

/** The model gateway of documents 2 and 3: lists that change each day until `end`. */
export function makeGateway(seed: number, start: number, end: number): Gateway {
  const dice = random(seed + 1);
  const plan = agenda();
  const models = new Map<string, GatewayModel>();
  const embeddings = new Map<string, GatewayModel>();
  const changedAt = new Map<string, number>();
  let made = 0;

  const price = () => `0.0000${String(dice.between(1, 99)).padStart(3, '0')}`;
  function add(to: Map<string, GatewayModel>): string {
    const id = `vendor-${dice.between(1, 30)}/model-${made}`;
    made += 1;
    to.set(id, {
      id,
      name: `Model ${made}`,
      prompt: price(),
      completion: price(),
      contextLength: 1000 * dice.between(8, 1000),
    });
    return id;
  }
  while (models.size < 400) add(models);
  while (embeddings.size < 25) add(embeddings);

  for (let at = start + HOUR; at < end; at += dice.between(60, 9 * 60) * MINUTE) {
    plan.at(at, () => {
      gateway.changes += 1;
      const kind = dice.between(1, 6);
      const one = dice.pick([...models.values()]);
      if (kind === 2) models.delete(one.id);
      else if (kind > 2) models.set(one.id, { ...one, [kind < 5 ? 'prompt' : 'completion']: price() });
      changedAt.set(kind === 1 ? add(models) : one.id, at);
    });
  }

  function record(model: GatewayModel, embedding: boolean) {
    const { prompt, completion } = model;
    const tiers = share(model.id) < 0.15;
    const overrides = [
      { min_prompt_tokens: 200_000, prompt: '0.0001', completion: '0.0002' },
      { utc_start: share(`hour ${model.id}`) < 0.5 ? '16:30' : 16, utc_end: '00:30', prompt: '0.000001' },
    ];
    const prices = gateway.trouble === 'zero prices' ? { prompt: '0', completion: '0' } : { prompt, completion };
    const words = ['tools', 'temperature', 'max_tokens', 'stop'];
    return {
      id: model.id,
      canonical_slug: model.id,
      name: model.name,
      description: `About ${model.name}.`,
      created: 1_700_000_000 + Math.floor(share(model.id) * 50_000_000),
      context_length: model.contextLength,
      architecture: {
        input_modalities: ['text'],
        output_modalities: [embedding ? 'embeddings' : 'text'],
        modality: embedding ? 'text->embeddings' : 'text->text',
        instruct_type: null,
        tokenizer: 'Other',
      },
      ...(gateway.trouble !== 'no prices' && {
        pricing: {
          ...prices,
          image: '0',
          request: '0',
          ...(tiers && gateway.trouble !== 'zero prices' && { overrides }),
        },
      }),
      top_provider: { context_length: model.contextLength, is_moderated: false, max_completion_tokens: null },
      // A model can repeat a word.
      supported_parameters: embedding ? [] : share(`twice ${model.id}`) < 0.05 ? [...words, 'tools'] : words,
      supported_voices: null,
      default_parameters: null,
      expiration_date: null,
      knowledge_cutoff: null,
      per_request_limits: null,
      links: { details: `/api/v1/models/${model.id}/endpoints` },
    };
  }

  const refuse = (status: number, message: string): HttpAnswer => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code: status, message } }),
  });

  const gateway: Gateway = {
    trouble: null,
    paged: false,
    models,
    embeddings,
    changedAt,
    changes: 0,
    breaches: [],
    advance: (to) => plan.runUntil(to),
    answer({ method, url, headers }, origin) {
      const { pathname, searchParams } = new URL(url, origin);
      const embedding = pathname === '/api/v1/embeddings/models';
      if (method !== 'GET' || (!embedding && pathname !== '/api/v1/models/user')) {
        gateway.breaches.push(`${method} ${url}`);
        return refuse(404, 'Resource not found');
      }
      if (!embedding && headers.authorization !== `Bearer ${GATEWAY_KEY}`)
        return refuse(401, 'Missing Authentication header');
      if (!embedding && gateway.trouble === 'refused')
        return refuse(403, 'Only management keys can perform this operation');
      for (const [name, value] of searchParams) {
        const right = (name === 'offset' || name === 'limit') && /^\d{1,4}$/u.test(value) && Number(value) <= 1000;
        if (right && searchParams.getAll(name).length === 1) continue;
        gateway.breaches.push(url);
        return refuse(400, 'Invalid request parameters');
      }
      let all = [...(embedding ? embeddings : models).values()];
      if (gateway.trouble === 'empty') all = [];
      if (gateway.trouble === 'half') all = all.filter((model) => share(`half ${model.id}`) < 0.5);
      const offset = Number(searchParams.get('offset') ?? 0);
      const limit = Number(searchParams.get('limit') ?? (gateway.paged ? PAGE : all.length));
      const shown = all.slice(offset, offset + limit);
      const next = offset + limit < all.length ? `${origin}${pathname}?offset=${offset + limit}&limit=${limit}` : null;
      const body = JSON.stringify({
        data: shown.map((model) => record(model, embedding)),
        links: { next },
        total_count: all.length,
      });
      return { status: 200, headers: { 'content-type': 'application/json', etag: `"${digest(body)}"` }, body };
    },
  };
  return gateway;
}
