import type { StepBudget } from "./run/run-limits.ts"
import type { TemplateRead } from "./reads/template-reads.ts"

/** A parsed Jinja template. It keeps nothing of what it is rendered with, so that it can be rendered any number of times. */
export interface Template {
  /** What was given as its name, for messages. */
  readonly name: string | undefined
  /** What it reads of names that it does not set itself, each with the line and whether it asks for it first. */
  readonly reads: readonly TemplateRead[]
  /** The names that it reads and does not set itself, without those that it asks for first (`is defined`, `default`). */
  readonly names: readonly string[]
  /** Dotted paths below names that it reads, such as `item.question`, where they are written out and not asked for first. */
  readonly paths: readonly string[]
  /**
   * @param steps what it may cost, also shared with other templates; default: a million steps
   * @throws `template_error` that names the missing name, the line, and the names that there are
   */
  render(values: TemplateValues, steps?: StepBudget): string
  /**
   * The same, but a template that is one expression and nothing else keeps its type: `{{ item.n }}` is a number,
   * `{{ item.messages }}` a list, `{{ item.messages | tojson }}` a text. Null stands for what is nothing.
   * @throws `template_error`, as `render` does
   */
  evaluate(values: TemplateValues, steps?: StepBudget): unknown
}

/** Texts, numbers, booleans, null, lists and plain objects, by name. A property that is undefined is not there. */
export type TemplateValues = Readonly<Record<string, unknown>>
