// Random choices that a seed repeats.

/** A source of random choices. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
    this.below(2)
    this.below(2)
  }

  /** An integer from 0 to below a count. */
  below(count: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count)
  }

  /** Whether what happens once in so many times happens. */
  once(times: number): boolean {
    return this.below(times) === 0
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (items.length === 0) throw new Error('there is nothing to pick')
    // cast: the index is that of an item
    return item as Item
  }

  /** Some of the items, at least so many, in their order. */
  some<Item>(items: readonly Item[], least = 0): Item[] {
    const chosen = items.filter(() => this.once(2))
    return chosen.length >= least ? chosen : [...items.slice(0, least)]
  }

  /** Calls a function as often as is random. */
  list<Item>(least: number, most: number, make: (index: number) => Item): Item[] {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, index) => make(index))
  }
}
