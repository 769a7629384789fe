import { formatDocument } from "../../../documents/document-text.ts"
import type { LaunchDocument } from "./read-launch-text.ts"

/** Returns the commands that write an evaluation file and launch it. @param written the text of the file, if it was written as text */
export async function formatCommand({ content }: LaunchDocument, written: string | undefined): Promise<string> {
  const text = (written ?? (await formatDocument(content, "yaml"))).replace(/\n*$/u, "\n")
  const lines = new Set(text.split("\n"))
  // A line of the file that ends the document early would let the shell execute the lines after it.
  let end = "YAML"
  while (lines.has(end)) end += "_"
  return `cat > evaluation.yaml <<'${end}'\n${text}${end}\nassay eval launch evaluation.yaml\n`
}
