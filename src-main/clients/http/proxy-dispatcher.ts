import { Agent, EnvHttpProxyAgent, Pool, ProxyAgent, type Dispatcher } from 'undici';
import { isLoopback } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Settings } from '../../contract/settings.ts';
import { codeOf } from './transport-errors.ts';

/** `system`: as the environment says. Else no proxy, or the address of one. */
export type ProxyChoice = Settings['proxy'];

/** What the environment says of proxies, by the names that every tool reads. */
type Environment = Readonly<Record<string, string | undefined>>;

interface WayOptions {
  /** For a connection, in ms. */
  connectMs: number;
  /** To one origin at once. */
  connections: number;
}

const DIRECT = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * By which way a request goes out. What stays on this machine never leaves it: loopback is reached directly, so that no proxy
 * sees a key. To anything else a proxy only makes the connection (CONNECT): over https it reads nothing of what is said.
 */
export class ProxyDispatcher {
  readonly #options: WayOptions;
  readonly #environment: Environment;
  readonly #direct: Agent;
  #choice: ProxyChoice;
  /** Made for the first request that needs it. */
  #proxied: Dispatcher | null = null;
  /** Left, and perhaps still with requests on them. */
  readonly #left = new Set<Dispatcher>();

  constructor(choice: ProxyChoice, options: WayOptions, environment: Environment = process.env) {
    this.#choice = choice;
    this.#options = options;
    this.#environment = environment;
    this.#direct = new Agent({ ...DIRECT, ...this.#limits });
  }

  /** Errors: `unreachable` where the proxy's address is none. */
  to({ hostname }: URL): Dispatcher {
    if (this.#choice === 'none' || isLoopback(hostname)) return this.#direct;
    this.#proxied ??= this.#throughProxy(this.#choice);
    return this.#proxied;
  }

  /** Requests that are on their way end on theirs. */
  use(choice: ProxyChoice): void {
    if (choice === this.#choice) return;
    this.#choice = choice;
    const left = this.#proxied;
    this.#proxied = null;
    if (!left) return;
    this.#left.add(left);
    void left.close().then(() => this.#left.delete(left));
  }

  async destroy(): Promise<void> {
    const all = [this.#direct, ...this.#left, ...(this.#proxied ? [this.#proxied] : [])];
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }

  get #limits(): { connect: { timeout: number }; connections: number } {
    return { connect: { timeout: this.#options.connectMs }, connections: this.#options.connections };
  }

  #throughProxy(choice: string): Dispatcher {
    const tls = { timeout: this.#options.connectMs };
    const options = { ...DIRECT, ...this.#limits, requestTls: tls, proxyTls: tls, clientFactory: this.#connect };
    if (choice !== 'system') return new ProxyAgent({ ...options, uri: proxyAddress(choice) });
    const ofHttp = this.#named('http_proxy');
    return new EnvHttpProxyAgent({
      ...options,
      httpProxy: ofHttp,
      httpsProxy: this.#named('https_proxy') || ofHttp,
      noProxy: this.#variable('no_proxy'),
    });
  }

  readonly #connect = (proxy: URL, options: object): Dispatcher =>
    new ProxyConnection(proxy, options, this.#options.connectMs);

  #named(variable: string): string {
    const value = this.#variable(variable);
    return value === '' ? '' : proxyAddress(value);
  }

  #variable(name: string): string {
    return (this.#environment[name] ?? this.#environment[name.toUpperCase()] ?? '').trim();
  }
}

/** Environments often leave the scheme out. Errors: `unreachable`. */
function proxyAddress(text: string): string {
  const url = URL.parse(/^[a-z\d]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw new BroadsheetError(
    'unreachable',
    'The proxy is not an http or https address. Check it in Settings, or HTTPS_PROXY in the environment.',
  );
}

/** The connection to a proxy. What goes wrong at it is the proxy's fault and not that of the service. */
class ProxyConnection extends Pool {
  readonly #name: string;
  readonly #patience: number;

  /** @param patience how long the proxy may take to connect, in ms */
  constructor({ origin, host }: URL, options: object, patience: number) {
    super(origin, options);
    this.#name = host;
    this.#patience = patience;
  }

  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(
    options: Dispatcher.ConnectOptions,
    callback: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): void;
  override connect(options: Dispatcher.ConnectOptions, callback?: unknown): Promise<Dispatcher.ConnectData> | void {
    if (callback) throw new TypeError('A proxy is asked for a promise only.');
    return this.#connect(options);
  }

  async #connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const signal = AbortSignal.timeout(this.#patience);
    const data = await super.connect({ ...options, signal }).catch((error: unknown) => {
      throw signal.aborted ? tooSlow(this.#name, error) : unreachable(this.#name, error);
    });
    if (data.statusCode === 200) return data;
    data.socket.on('error', () => undefined).destroy();
    throw refused(this.#name, data.statusCode);
  }
}

function unreachable(proxy: string, cause: unknown): BroadsheetError {
  const code = codeOf(cause) || 'no connection';
  return new BroadsheetError(
    'unreachable',
    `The proxy ${proxy} cannot be reached (${code}). Check the network, and the proxy in Settings.`,
    { cause },
  );
}

function tooSlow(proxy: string, cause: unknown): BroadsheetError {
  const message = `The proxy ${proxy} did not connect to the service in time. Try again later, or check the proxy in Settings.`;
  return new BroadsheetError('timeout', message, { cause });
}

function refused(proxy: string, status: number): BroadsheetError {
  const why =
    status === 407
      ? `The proxy ${proxy} wants a user name and a password, which Broadsheet has not.`
      : `The proxy ${proxy} would not connect to the service (HTTP ${String(status)}).`;
  return new BroadsheetError('unreachable', `${why} Check the proxy in Settings.`);
}
