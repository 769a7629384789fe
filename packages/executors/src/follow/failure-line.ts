/** Matches lines that Assay writes before the output of an attempt. */
const HEADER = /^(?:==> |--- pod |shard \d+: task )/
/** Matches lines that Assay writes into the output of a process. */
const OWN = /^(?:\[this process |… )/

/**
 * Returns the line of the output of a shard that says best why it failed: of its last attempt, the last line that begins with `error:`, or else the last
 * line that is not one of Assay's own. Undefined if there is none.
 */
export function failureLine(output: string): string | undefined {
  const lines = output.split("\n").map((line) => line.trim())
  const start = lines.findLastIndex((line) => HEADER.test(line)) + 1
  const written = lines.slice(start).filter((line) => line !== "" && !OWN.test(line))
  return written.findLast((line) => line.startsWith("error:")) ?? written.at(-1)
}
