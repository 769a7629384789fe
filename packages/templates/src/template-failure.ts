/** Ends the run of a template. The message is the end of a sentence about the template. */
export class TemplateFailure extends Error {
  override readonly name = "TemplateFailure"
}
