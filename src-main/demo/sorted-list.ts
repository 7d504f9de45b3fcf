/** Index of the first entry that `isAfter`, in a list in which all such entries come last; the list's length if there is none. */
export function firstIndex<T>(list: readonly T[], isAfter: (entry: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
