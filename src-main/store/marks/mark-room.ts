import type { Mark } from '../../common/marks.ts';

const MIB = 1024 * 1024;
/** Limits the bytes of one machine in user.db: some 400,000 items as read. */
const MAX_OF_A_MACHINE = 96 * MIB;
/** Only this many machines may take more than {@link SMALL}. */
const MAX_LARGE = 8;
const SMALL = MIB / 4;
const MAX_MACHINES = 256;
/** Bytes of a mark besides its texts, which are in a table of the reader's, too. */
const EACH = 140;

type Counted = Pick<Mark, 'service' | 'id' | 'machine' | 'value'>;

/** Limits bytes and machines: anyone who can write into the folder of marks can make up ids and machines. */
export class MarkRoom {
  readonly #taken = new Map<string, number>();

  clear(): void {
    this.#taken.clear();
  }

  has(mark: Counted, before: Counted | null): boolean {
    const taken = this.#taken.get(mark.machine);
    if (taken === undefined && this.#taken.size >= MAX_MACHINES) return false;
    const next = (taken ?? 0) + bytesOf(mark) - (before?.machine === mark.machine ? bytesOf(before) : 0);
    if (next <= SMALL || next <= (taken ?? 0)) return true;
    return next <= MAX_OF_A_MACHINE && ((taken ?? 0) > SMALL || this.#large < MAX_LARGE);
  }

  replace(mark: Counted, before: Counted | null): void {
    if (before) this.#add(before.machine, -bytesOf(before));
    this.#add(mark.machine, bytesOf(mark));
  }

  count(machine: string, bytes: number): void {
    this.#add(machine, EACH + 2 * bytes);
  }

  get #large(): number {
    return [...this.#taken.values()].filter((bytes) => bytes > SMALL).length;
  }

  #add(machine: string, bytes: number): void {
    const next = (this.#taken.get(machine) ?? 0) + bytes;
    if (next > 0) this.#taken.set(machine, next);
    else this.#taken.delete(machine);
  }
}

function bytesOf({ service, id, value }: Counted): number {
  return EACH + 2 * Buffer.byteLength(service + id + (value ?? ''));
}
