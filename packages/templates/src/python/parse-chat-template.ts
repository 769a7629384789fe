import { templateFault } from "../faults/template-fault.ts"
import type { ParseResult } from "../syntax/parse-template.ts"
import { tokenizeTemplate } from "./syntax/lexer.ts"
import { parseExpression } from "./syntax/parse-expression.ts"
import { parseBody } from "./syntax/parse-statements.ts"
import { TemplateSyntaxFailure } from "./syntax/syntax-failure.ts"
import { createTokenStream } from "./syntax/token-stream.ts"

/** Parses a chat template with the white space settings of `transformers`, or returns its first fault. */
export function parseChatTemplate(source: string): ParseResult {
  try {
    const stream = createTokenStream(tokenizeTemplate(source), parseExpression)
    const program = stream.node(1, { type: "Program", body: parseBody(stream, null) })
    return { template: { program, lines: stream.lines }, fault: null }
  } catch (error) {
    if (error instanceof RangeError) {
      return { template: null, fault: templateFault(null, "can't be parsed: it is nested too deeply") }
    }
    if (!(error instanceof TemplateSyntaxFailure)) throw error
    return { template: null, fault: templateFault(error.line, `can't be parsed: ${error.message}`, error.isGap) }
  }
}
