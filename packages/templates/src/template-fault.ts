/** What is wrong with a template. */
export interface TemplateFault {
  /** From 1; null where it has no line, as when rendering takes too long. */
  readonly line: number | null
  /** The end of a sentence about the template. */
  readonly text: string
  /** Whether it is the engine that can't, and not the template. */
  readonly isGap: boolean
}

export function templateFault(line: number | null, text: string, isGap = false): TemplateFault {
  return { line, text, isGap }
}

/** The fault as the end of a sentence, with its line. */
export function formatTemplateFault({ line, text }: TemplateFault): string {
  return line === null ? text : `${text} (line ${line})`
}
