import { ITEMS_PER_STEP, type Steps } from "../steps.ts"

/** Sorts numbers in place, in steps. Takes as much memory again if they do not fit into one step. */
export function* sortNumbers(numbers: Float64Array): Steps<void> {
  const { length } = numbers
  for (let start = 0; start < length; start += ITEMS_PER_STEP) {
    numbers.subarray(start, start + ITEMS_PER_STEP).sort()
    if (length > ITEMS_PER_STEP) yield
  }
  let from = numbers
  let to = numbers
  for (let width = ITEMS_PER_STEP; width < length; width *= 2) {
    to = to === from ? new Float64Array(length) : to
    for (let start = 0; start < length; start += 2 * width) {
      yield* mergeRuns(from, to, { start, middle: start + width, end: start + 2 * width })
    }
    ;[from, to] = [to, from]
  }
  if (from !== numbers) numbers.set(from)
}

/** Merges two sorted runs. The end of a run can be past the end of the numbers. */
function* mergeRuns(
  from: Float64Array,
  to: Float64Array,
  { start, middle, end }: { readonly start: number; readonly middle: number; readonly end: number },
): Steps<void> {
  const leftEnd = Math.min(middle, from.length)
  const rightEnd = Math.min(end, from.length)
  let left = start
  let right = leftEnd
  let at = start
  while (at < rightEnd) {
    const stop = Math.min(at + ITEMS_PER_STEP, rightEnd)
    for (; at < stop; at++) {
      const isLeft = left < leftEnd && (right >= rightEnd || (from[left] ?? 0) <= (from[right] ?? 0))
      to[at] = (isLeft ? from[left++] : from[right++]) ?? 0
    }
    yield
  }
}
