/** A square matrix by rows. */
export type Matrix = number[][]

export function zeros(size: number): Matrix {
  return Array.from({ length: size }, () => Array.from({ length: size }, () => 0))
}

/** Returns the inverse of a symmetric positive definite matrix, by Gauss and Jordan with pivots. A row that is 0 stays 0. */
export function invert(matrix: Matrix): Matrix {
  const size = matrix.length
  const left = matrix.map((row) => [...row])
  const inverse = zeros(size).map((row, at) => row.map((_value, column) => Number(column === at)))
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(left[row]![column]!) > Math.abs(left[pivot]![column]!)) pivot = row
    }
    const value = left[pivot]![column]!
    if (value === 0) continue
    for (const one of [left, inverse]) {
      const row = one[pivot]!.map((entry) => entry / value)
      one[pivot] = one[column]!
      one[column] = row
    }
    for (let row = 0; row < size; row++) {
      const factor = left[row]![column]!
      if (row === column || factor === 0) continue
      for (const one of [left, inverse]) one[row] = one[row]!.map((entry, at) => entry - factor * one[column]![at]!)
    }
  }
  return inverse
}
