/** Where rows begin and end, in memory that is used again. */
export interface RowBounds {
  readonly count: () => number
  /** A row from `start` to before `end`, with so many line ends before it. */
  readonly add: (start: number, end: number, line: number) => void
  /** Three numbers for each but the first `skip` of them: start, end, line. It is empty afterwards. */
  readonly take: (skip: number) => Uint32Array<ArrayBuffer>
}

export function createRowBounds(): RowBounds {
  let numbers = new Uint32Array(3 * 256)
  let used = 0
  return {
    count: () => used / 3,
    add(start, end, line) {
      if (used === numbers.length) {
        const larger = new Uint32Array(2 * used)
        larger.set(numbers)
        numbers = larger
      }
      numbers[used] = start
      numbers[used + 1] = end
      numbers[used + 2] = line
      used += 3
    },
    take(skip) {
      const taken = numbers.slice(3 * skip, used)
      used = 0
      return taken
    },
  }
}
