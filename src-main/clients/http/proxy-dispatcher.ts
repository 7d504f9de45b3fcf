import { Agent, EnvHttpProxyAgent, Pool, ProxyAgent, type Dispatcher } from 'undici';
import { isLoopback } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Settings } from '../../contract/settings.ts';
import { codeOf } from './service-error.ts';

export type ProxyChoice = Settings['proxy'];

type Environment = Readonly<Record<string, string | undefined>>;

interface DispatcherOptions {
  connectMs: number;
  connections: number;
}

const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 };

/** Never sends loopback through a proxy, which would see keys. Tunnels the rest: https stays unreadable. */
export class ProxyDispatcher {
  readonly #options: DispatcherOptions;
  readonly #environment: Environment;
  readonly #direct: Agent;
  #choice: ProxyChoice;
  #proxied: Dispatcher | null = null;
  readonly #retired = new Set<Dispatcher>();

  constructor(choice: ProxyChoice, options: DispatcherOptions, environment: Environment = process.env) {
    this.#choice = choice;
    this.#options = options;
    this.#environment = environment;
    this.#direct = new Agent({ ...NO_TIMEOUTS, ...this.#limits });
  }

  to({ hostname }: URL): Dispatcher {
    if (this.#choice === 'none' || isLoopback(hostname)) return this.#direct;
    this.#proxied ??= this.#throughProxy(this.#choice);
    return this.#proxied;
  }

  use(choice: ProxyChoice): void {
    if (choice === this.#choice) return;
    this.#choice = choice;
    const retired = this.#proxied;
    this.#proxied = null;
    if (!retired) return;
    this.#retired.add(retired);
    void retired.close().then(() => this.#retired.delete(retired));
  }

  async destroy(): Promise<void> {
    const all = [this.#direct, ...this.#retired, ...(this.#proxied ? [this.#proxied] : [])];
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }

  get #limits(): { connect: { timeout: number }; connections: number } {
    return { connect: { timeout: this.#options.connectMs }, connections: this.#options.connections };
  }

  #throughProxy(choice: string): Dispatcher {
    const tls = { timeout: this.#options.connectMs };
    const options = { ...NO_TIMEOUTS, ...this.#limits, requestTls: tls, proxyTls: tls, clientFactory: this.#clientFor };
    if (choice !== 'system') return new ProxyAgent({ ...options, uri: proxyAddress(choice) });
    const httpProxy = this.#addressIn('http_proxy');
    return new EnvHttpProxyAgent({
      ...options,
      httpProxy,
      httpsProxy: this.#addressIn('https_proxy') || httpProxy,
      noProxy: this.#variable('no_proxy'),
    });
  }

  readonly #clientFor = (proxy: URL, options: object): Dispatcher =>
    new ProxyConnection(proxy, options, this.#options.connectMs);

  #addressIn(variable: string): string {
    const value = this.#variable(variable);
    return value === '' ? '' : proxyAddress(value);
  }

  #variable(name: string): string {
    return (this.#environment[name] ?? this.#environment[name.toUpperCase()] ?? '').trim();
  }
}

/** Adds the scheme, which proxy variables often lack. Errors: `unreachable`. */
function proxyAddress(text: string): string {
  const url = URL.parse(/^[a-z\d]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw new BroadsheetError(
    'unreachable',
    'The proxy address must start with http or https. Check it in Settings, or the HTTPS_PROXY environment variable.',
    { reason: 'proxy' },
  );
}

/** Names the proxy in its errors, not the service. */
class ProxyConnection extends Pool {
  readonly #name: string;
  readonly #connectMs: number;

  constructor({ origin, host }: URL, options: object, connectMs: number) {
    super(origin, options);
    this.#name = host;
    this.#connectMs = connectMs;
  }

  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(
    options: Dispatcher.ConnectOptions,
    callback: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): void;
  override connect(options: Dispatcher.ConnectOptions, callback?: unknown): Promise<Dispatcher.ConnectData> | void {
    if (callback) throw new TypeError('Connecting through a proxy needs the promise form.');
    return this.#connect(options);
  }

  async #connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const signal = AbortSignal.timeout(this.#connectMs);
    const data = await super.connect({ ...options, signal }).catch((error: unknown) => {
      throw signal.aborted ? tooSlow(this.#name, error) : unreachable(this.#name, error);
    });
    if (data.statusCode === 200) return data;
    data.socket.on('error', () => undefined).destroy();
    throw proxyRefusal(this.#name, data.statusCode);
  }
}

function unreachable(proxy: string, cause: unknown): BroadsheetError {
  const code = codeOf(cause) || 'no connection';
  return new BroadsheetError(
    'unreachable',
    `Cannot reach the proxy ${proxy} (${code}). Check the network, and the proxy in Settings.`,
    { reason: 'proxy', cause },
  );
}

function tooSlow(proxy: string, cause: unknown): BroadsheetError {
  const message = `The proxy ${proxy} did not connect in time. Try again later, or check the proxy in Settings.`;
  return new BroadsheetError('timeout', message, { reason: 'proxy', cause });
}

function proxyRefusal(proxy: string, status: number): BroadsheetError {
  const why =
    status === 407
      ? `The proxy ${proxy} requires a user name and password, which Broadsheet does not support.`
      : `The proxy ${proxy} refused to connect to the service (HTTP ${String(status)}).`;
  return new BroadsheetError('unreachable', `${why} Check the proxy in Settings.`, { reason: 'proxy' });
}
