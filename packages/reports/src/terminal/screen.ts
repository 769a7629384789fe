import { printableText } from "@assay/schemas"

/** A stream that takes text without waiting. */
export interface TextStream {
  write(text: string): unknown
}

/** The stream that shows progress, with the width of its terminal and a clock. If it is not a terminal, it gets whole lines only. */
export interface Screen {
  readonly stderr: TextStream
  readonly isTerminal: { readonly stderr: boolean }
  /** Width of the terminal in characters. */
  readonly columns: () => number
  /** Milliseconds since any moment. */
  readonly now: () => number
}

/**
 * Writes text, with its control characters except line feed and tab as `⟨U+202E⟩`, because text from outside could move the cursor of a
 * terminal or write the clipboard. Only progress lines, which are escaped too, are written without this function.
 */
export function sayText(stream: TextStream, text: string): void {
  stream.write(printableText(text))
}
