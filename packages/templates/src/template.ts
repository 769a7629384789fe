import type { StepBudget } from "./run/run-limits.ts"
import type { TemplateRead } from "./reads/template-reads.ts"

/** A compiled Jinja template. It has no state and can be rendered any number of times. */
export interface Template {
  /** The name for messages, if one was given. */
  readonly name: string | undefined
  /** The reads of names that it has not certainly set itself before. */
  readonly reads: readonly TemplateRead[]
  /** The names that it requires: those that it reads without setting them or testing for them first (`is defined`, `default`). */
  readonly names: readonly string[]
  /** The literal dotted paths that it requires, such as `item.question`. Paths that it tests for first are left out. */
  readonly paths: readonly string[]
  /**
   * Renders the template as text.
   * @param steps the steps that rendering may take, which templates can share. Default: a million
   * @throws `template_error`, for a missing name with the line and the names that exist
   */
  render(values: TemplateValues, steps?: StepBudget): string
  /**
   * Does the same as `render`, except that a template of one expression keeps its type: `{{ item.n }}` gives a number,
   * `{{ item.messages }}` a list, and `{{ item.messages | tojson }}` a text. An undefined result becomes null.
   * @throws `template_error`, as `render` does
   */
  evaluate(values: TemplateValues, steps?: StepBudget): unknown
}

/** Texts, numbers, booleans, null, lists and plain objects, by name. A property with the value undefined counts as absent. */
export type TemplateValues = Readonly<Record<string, unknown>>
