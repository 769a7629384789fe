/** A square matrix of numbers, 0 at first. */
export interface Matrix {
  readonly size: number
  get(row: number, column: number): number
  set(row: number, column: number, value: number): void
  add(row: number, column: number, value: number): void
  /** Returns the products of the rows and a vector. */
  times(vector: ArrayLike<number>): Float64Array
}

export function createMatrix(size: number, value = 0): Matrix {
  const values = new Float64Array(size * size).fill(value)
  const get = (row: number, column: number) => values[row * size + column] ?? 0
  return {
    size,
    get,
    set(row, column, one) {
      values[row * size + column] = one
    },
    add(row, column, more) {
      values[row * size + column] = get(row, column) + more
    },
    times(vector) {
      return Float64Array.from({ length: size }, (_, row) => {
        let sum = 0
        for (let column = 0; column < size; column++) sum += get(row, column) * (vector[column] ?? 0)
        return sum
      })
    },
  }
}

/** Returns the numbers from 0 up to, and without, a size. */
export function indexes(size: number): readonly number[] {
  return Array.from({ length: size }, (_, at) => at)
}

/** Returns the inverse of a symmetric positive definite matrix, by Gauss and Jordan with pivots. A column that is 0 is left out. */
export function invert(matrix: Matrix): Matrix {
  const { size } = matrix
  const left = createMatrix(size)
  const inverse = createMatrix(size)
  for (const row of indexes(size)) {
    inverse.set(row, row, 1)
    for (const column of indexes(size)) left.set(row, column, matrix.get(row, column))
  }
  for (const column of indexes(size)) {
    const rows = indexes(size).slice(column)
    const pivot = rows.reduce((best, row) =>
      Math.abs(left.get(row, column)) > Math.abs(left.get(best, column)) ? row : best,
    )
    const value = left.get(pivot, column)
    if (value === 0) continue
    for (const one of [left, inverse]) swapRows(one, [pivot, column], 1 / value)
    for (const row of indexes(size)) {
      const factor = left.get(row, column)
      if (row === column || factor === 0) continue
      for (const one of [left, inverse]) {
        for (const at of indexes(size)) one.add(row, at, -factor * one.get(column, at))
      }
    }
  }
  return inverse
}

/** Exchanges two rows, and scales the first one, which is then the second. */
function swapRows(matrix: Matrix, [from, to]: readonly [number, number], scale: number): void {
  for (const column of indexes(matrix.size)) {
    const moved = matrix.get(from, column) * scale
    if (from !== to) matrix.set(from, column, matrix.get(to, column))
    matrix.set(to, column, moved)
  }
}
