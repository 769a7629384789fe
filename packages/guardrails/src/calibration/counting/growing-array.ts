/** Numbers by index in a few bytes each. A number that was never set is `empty`. */
export interface GrowingArray {
  get(index: number): number
  set(index: number, value: number): void
  readonly length: number
}

type Numbers = Uint8Array | Uint16Array | Float32Array | Float64Array

export function createGrowingArray(make: (length: number) => Numbers, empty = 0): GrowingArray {
  let numbers = make(1024).fill(empty)
  let length = 0
  return {
    get: (index) => (index < length ? (numbers[index] ?? empty) : empty),
    set(index, value) {
      if (index >= numbers.length) {
        const larger = make(Math.max(index + 1, numbers.length * 2)).fill(empty)
        larger.set(numbers)
        numbers = larger
      }
      numbers[index] = value
      if (index >= length) length = index + 1
    },
    get length() {
      return length
    },
  }
}
