/** Returns the commands that write an evaluation file and launch it. */
export function formatCommand(file: string): string {
  const text = file.replace(/\n*$/u, "\n")
  const lines = new Set(text.split("\n"))
  // A line of the file that ends the document early would let the shell execute the lines after it.
  let end = "YAML"
  while (lines.has(end)) end += "_"
  return `cat > evaluation.yaml <<'${end}'\n${text}${end}\nassay eval launch evaluation.yaml\n`
}
