// Runs a calibration and prints the highest resident memory of its process. Arguments: url, prompts.
import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { runCalibration } from "@assay/guardrails"
import { peakMemory } from "../measure/measure-memory.ts"
import { benchGuardrail, guardrailData } from "./bench-guardrail.ts"
import { labelledPrompts } from "./labelled-prompts.ts"

// `assay guard calibrate` does the same for its process.
setFlagsFromString("--semi-space-growth-factor=1")
setFlagsFromString("--heap-growing-percent=20")

const [url = "", prompts = "0"] = process.argv.slice(2)
const guardrail = await benchGuardrail(guardrailData(url))
await runCalibration({
  candidates: [{ name: "judge", digest: "", judge: (prompt, options) => guardrail.checkPrompt(prompt, options) }],
  rows: labelledPrompts(Number(prompts)),
  parallelism: 64,
  now: Date.now,
})
await guardrail.close()
process.stdout.write(JSON.stringify({ peakBytes: peakMemory() }))
