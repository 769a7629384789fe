// Reads what a judge answered. Run: node examples/programs/read-verdict.ts '{"User Safety": "unsafe"}'
import process from "node:process"
import { parseVerdict } from "@assay/guardrails"

const answers = process.argv.slice(2)
if (answers.length === 0) answers.push('{"User Safety": "safe"}', "I think this is fine.")

for (const answer of answers) {
  const { verdict, unreadable } = parseVerdict(answer)
  // An answer without a clear verdict is never "safe": decide yourself what it means for your users.
  const outcome = verdict?.user_safety ?? `unreadable (${unreadable?.reason ?? "no verdict on the user's message"})`
  console.log(`${outcome}: ${answer}`)
}
