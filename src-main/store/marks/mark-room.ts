import type { Mark } from '../../common/marks.ts';

const MIB = 1024 * 1024;
/** Limits the bytes of one machine in user.db: some 400,000 items as read. */
const MOST_OF_A_MACHINE = 96 * MIB;
/** A machine may take more than a little only while so few do. */
const MOST_LARGE = 8;
const LITTLE = MIB / 4;
const MOST_MACHINES = 256;
/** Bytes of a mark besides its texts, which are in a table of the reader's, too. */
const EACH = 140;

type Counted = Pick<Mark, 'service' | 'id' | 'machine' | 'value'>;

/**
 * Counts the bytes of each machine's marks. Anyone who can write into the folder of marks can make up ids and machines, so
 * the bytes of a machine and the number of machines are limited.
 */
export class MarkRoom {
  readonly #taken = new Map<string, number>();

  clear(): void {
    this.#taken.clear();
  }

  /** Returns whether a mark can take the place of another one, or of none. */
  has(mark: Counted, before: Counted | null): boolean {
    const taken = this.#taken.get(mark.machine);
    if (taken === undefined && this.#taken.size >= MOST_MACHINES) return false;
    const next = (taken ?? 0) + bytesOf(mark) - (before?.machine === mark.machine ? bytesOf(before) : 0);
    if (next <= LITTLE || next <= (taken ?? 0)) return true;
    return next <= MOST_OF_A_MACHINE && ((taken ?? 0) > LITTLE || this.#large < MOST_LARGE);
  }

  /** A mark is there now in place of another one, or of none. */
  replace(mark: Counted, before: Counted | null): void {
    if (before) this.#add(before.machine, -bytesOf(before));
    this.#add(mark.machine, bytesOf(mark));
  }

  /** Counts a mark that is there already, with the bytes of its texts. */
  count(machine: string, bytes: number): void {
    this.#add(machine, EACH + 2 * bytes);
  }

  get #large(): number {
    return [...this.#taken.values()].filter((bytes) => bytes > LITTLE).length;
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
