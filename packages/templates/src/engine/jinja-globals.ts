import { TemplateFailure } from "../faults/template-fault.ts"

/** Returns the values that Jinja gives to every template and the engine does not. There is no clock. */
export function jinjaGlobals(): Readonly<Record<string, unknown>> {
  return { true: true, True: true, false: false, False: false, none: null, None: null, range: templateRange }
}

const MAX_RANGE = 100_000

/** Works as Python's `range`, with at most 100,000 numbers. */
function templateRange(first: number, last?: number, step = 1): readonly number[] {
  const [from, to] = last === undefined ? [0, first] : [first, last]
  const length = Math.max(0, Math.ceil((to - from) / step))
  if (!(length <= MAX_RANGE)) {
    throw new TemplateFailure(`can't be rendered: range() of more than ${MAX_RANGE} numbers`)
  }
  return Array.from({ length }, (_, index) => from + index * step)
}
