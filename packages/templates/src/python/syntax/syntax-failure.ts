/** Ends the parsing of a template. The message says what is wrong in this line. */
export class TemplateSyntaxFailure extends Error {
  override readonly name = "TemplateSyntaxFailure"
  readonly line: number
  /** Whether the template is valid and only this engine lacks a feature. */
  readonly isGap: boolean

  constructor(message: string, line: number, isGap = false) {
    super(message)
    this.line = line
    this.isGap = isGap
  }
}
