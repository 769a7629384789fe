import { templateRange } from "./template-range.ts"

/** What Jinja gives to every template, as far as the engine does not. The clock is not among it. */
export function jinjaGlobals(): Readonly<Record<string, unknown>> {
  return { true: true, True: true, false: false, False: false, none: null, None: null, range: templateRange }
}
