/** Lets so many at a time go on; the others wait their turn. */
export interface Slots {
  readonly take: () => Promise<void>
  readonly give: () => void
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async take() {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    give() {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    },
  }
}
