import { TemplateFailure } from "../faults/template-fault.ts"

/** What Jinja gives to every template, as far as the engine does not. The clock is not among it. */
export function jinjaGlobals(): Readonly<Record<string, unknown>> {
  return { true: true, True: true, false: false, False: false, none: null, None: null, range: templateRange }
}

const LONGEST_RANGE = 100_000

/** Python's `range`, of 100,000 numbers at the most. */
function templateRange(first: number, last?: number, step = 1): readonly number[] {
  const [from, to] = last === undefined ? [0, first] : [first, last]
  const length = Math.max(0, Math.ceil((to - from) / step))
  if (!(length <= LONGEST_RANGE)) {
    throw new TemplateFailure(`can't be rendered: range() of more than ${LONGEST_RANGE} numbers`)
  }
  return Array.from({ length }, (_, index) => from + index * step)
}
