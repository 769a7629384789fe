import { type LaunchEstimate, printable } from "@assay/schemas"
import { estimateFacts } from "../../text/estimate-facts.ts"

/** Formats the requests, cost, time and precision of a job, and the sources of the numbers. */
export function formatEstimate(estimate: LaunchEstimate): string {
  const facts = estimateFacts(estimate).map(({ name, value }) => `    ${name.padEnd(20)} ${value}`)
  const notes = estimate.notes.map((note) => `    ${note}`)
  return ["", ...facts, ...(notes.length === 0 ? [] : ["", ...notes])].map(printable).join("\n")
}
